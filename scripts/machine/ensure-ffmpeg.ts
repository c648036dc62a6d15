import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findConfinement, versionOf } from '../../containers/confine/find-confinement.ts'
import { installWithApt } from './install-with-apt.ts'
import { StopWithMessage } from './stop-with-message.ts'

const programs = ['ffmpeg', 'ffprobe']

/** The release in Debian 12 and in the container image; the tests cover no other. */
export const ffmpegMajor = 5

export const ffmpegWanted = {
  package: 'ffmpeg',
  missing: 'ffmpeg and ffprobe are missing.',
  brew: 'brew install ffmpeg',
  otherwise: `Install ffmpeg ${ffmpegMajor} with the package manager of this system, so that both are on the PATH.`,
}

/** `5.1.6-0+deb12u1` → 5; builds from a source tree have no version number. */
export function majorVersion(version: string): number | undefined {
  const match = /^n?(\d+)\./.exec(version)
  return match ? Number(match[1]) : undefined
}

/** `hidden` names the places of this service's secrets, which are hidden from ffmpeg even here. */
export async function ensureFfmpeg(
  say: (line: string) => void,
  hidden: readonly string[] = [],
): Promise<void> {
  let version = await installedVersion(hidden)
  if (version === undefined) {
    installWithApt(ffmpegWanted, say)
    version = await installedVersion(hidden)
    if (version === undefined) {
      throw new StopWithMessage('ffmpeg was installed and still cannot be run.')
    }
  }
  const major = majorVersion(version)
  if (major !== ffmpegMajor) {
    say(
      `Warning: ffmpeg ${major ?? 'of unknown version'} is installed; Spool is tested with ${ffmpegMajor}. ` +
        'Results may differ.',
    )
  }
}

/** Whether both programs are on the path; runs nothing. */
export function hasFfmpeg(): boolean {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  return programs.every((program) =>
    folders.some((folder) => existsSync(path.join(folder, program))),
  )
}

/** Undefined unless both programs can be run. */
async function installedVersion(hidden: readonly string[]): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-ffmpeg-'))
  try {
    const confinement = await findConfinement({ folder, hidden, programs })
    const look = async (program: string) => versionOf(program, confinement, folder)
    const [version] = await Promise.all(programs.map(look))
    return version
  } catch {
    return undefined
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
