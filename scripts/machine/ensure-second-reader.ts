import { existsSync } from 'node:fs'
import { installWithApt } from './install-with-apt.ts'

/** Reads MP4 and decodes HEVC and H.264 without any code of ffmpeg: GStreamer with libde265 and OpenH264. */
export const secondReader = '/usr/bin/gst-launch-1.0'

const packages = ['tools', 'plugins-base', 'plugins-good', 'plugins-bad']

/** For the campaigns that read results with another program than the one that made them. */
export function ensureSecondReader(say: (line: string) => void): void {
  if (existsSync(secondReader)) return
  const missing = 'GStreamer is missing; the campaigns read results with it.'
  const otherwise = 'The campaigns that need it run on Debian.'
  const names = packages.map((name) => `gstreamer1.0-${name}`).join(' ')
  installWithApt({ package: names, missing, brew: 'brew install gstreamer', otherwise }, say)
}
