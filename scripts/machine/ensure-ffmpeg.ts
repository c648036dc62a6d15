import { spawnSync } from 'node:child_process'
import { installWithApt } from './install-with-apt.ts'
import { StopWithMessage } from './stop-with-message.ts'

/** The release in Debian 12 and in the container image; results are tested with no other. */
export const ffmpegMajor = 5

export const ffmpegWanted = {
  package: 'ffmpeg',
  missing: 'ffmpeg and ffprobe are missing.',
  brew: 'brew install ffmpeg',
  otherwise: `Install ffmpeg ${ffmpegMajor} with the package manager of this system, so that both are on the PATH.`,
}

/** `ffmpeg version 5.1.6-0+deb12u1 …` → 5; builds from a source tree have no number. */
export function majorVersion(versionOutput: string): number | undefined {
  const match = /^ffmpeg version n?(\d+)\./.exec(versionOutput)
  return match ? Number(match[1]) : undefined
}

export function ensureFfmpeg(say: (line: string) => void): void {
  if (!bothPresent()) {
    installWithApt(ffmpegWanted, say)
    if (!bothPresent()) throw new StopWithMessage('ffmpeg was installed and still cannot be run.')
  }
  const major = majorVersion(outputOf('ffmpeg') ?? '')
  if (major !== ffmpegMajor) {
    say(
      `Warning: ffmpeg ${major ?? 'of unknown version'} is installed; Spool is tested with ${ffmpegMajor}. ` +
        'Results may differ.',
    )
  }
}

function bothPresent(): boolean {
  return outputOf('ffmpeg') !== undefined && outputOf('ffprobe') !== undefined
}

function outputOf(program: string): string | undefined {
  const { status, stdout } = spawnSync(program, ['-version'], { encoding: 'utf8' })
  return status === 0 ? stdout : undefined
}
