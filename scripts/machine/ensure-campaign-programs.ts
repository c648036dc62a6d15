import { existsSync } from 'node:fs'
import { installWithApt } from './install-with-apt.ts'
import { StopWithMessage } from './stop-with-message.ts'

const otherwise = 'The campaigns that need it run on Debian.'

/** By their Debian package: the programs of a server that docs/operators/self-hosting.md speaks of, where Debian installs them. */
export const serverPrograms = {
  nginx: '/usr/sbin/nginx',
  caddy: '/usr/bin/caddy',
  openssl: '/usr/bin/openssl',
  systemd: '/usr/bin/systemd-analyze',
} as const

/** For the campaigns that run the service behind proxies and look at its unit. */
export function ensureServerPrograms(say: (line: string) => void): void {
  for (const [name, program] of Object.entries(serverPrograms)) {
    if (existsSync(program)) continue
    const missing = `${name} is missing; the campaigns try self-hosting/ with it.`
    installWithApt({ package: name, missing, brew: `brew install ${name}`, otherwise }, say)
    if (existsSync(program)) continue
    throw new StopWithMessage(`${name} was installed and is still not at ${program}.`)
  }
}

/** Reads MP4 and decodes HEVC and H.264 without any code of ffmpeg: GStreamer with libde265 and OpenH264. */
export const secondReader = '/usr/bin/gst-launch-1.0'

const gstreamer = ['tools', 'plugins-base', 'plugins-good', 'plugins-bad']

/** For the campaigns that read results with another program than the one that made them. */
export function ensureSecondReader(say: (line: string) => void): void {
  if (existsSync(secondReader)) return
  const missing = 'GStreamer is missing; the campaigns read results with it.'
  const names = gstreamer.map((name) => `gstreamer1.0-${name}`).join(' ')
  installWithApt({ package: names, missing, brew: 'brew install gstreamer', otherwise }, say)
}
