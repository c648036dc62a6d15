import { firstLibraries } from '../../../containers/confine/first-libraries.ts'

/** What a media worker has ffmpeg ask first; the tests start it some thousand times. */
export const first = await firstLibraries('ffmpeg')

/** With it, ffmpeg and ffprobe start sooner for tests too. */
export const soonerEnvironment = {
  ...process.env,
  ...(first.length > 0 && { LD_PRELOAD: first.join(':') }),
}
