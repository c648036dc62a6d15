import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findConfinement, versionOf } from '../../containers/confine/find-confinement.ts'
import { StopWithMessage } from './stop-with-message.ts'

/** The release in Debian 12 and in the container image; results are tested with no other. */
export const ffmpegMajor = 5

export type Machine = {
  platform: NodeJS.Platform
  hasApt: boolean
  isRoot: boolean
  sudoNeedsNoPassword: boolean
}

export type InstallPlan =
  { outcome: 'install'; commands: string[][] } | { outcome: 'tell'; message: string }

const aptCommands = [
  ['apt-get', 'update'],
  ['apt-get', 'install', '--yes', '--no-install-recommends', 'ffmpeg'],
]

/** What to do about a machine without ffmpeg: install it where that asks nobody, else say exactly how. */
export function planInstall(machine: Machine): InstallPlan {
  if (machine.hasApt && machine.isRoot) return { outcome: 'install', commands: aptCommands }
  if (machine.hasApt && machine.sudoNeedsNoPassword) {
    return {
      outcome: 'install',
      commands: aptCommands.map((command) => ['sudo', '-n', ...command]),
    }
  }
  return { outcome: 'tell', message: howToInstall(machine) }
}

function howToInstall({ platform, hasApt }: Machine): string {
  const missing = 'ffmpeg and ffprobe are missing. '
  if (hasApt) {
    const commands = aptCommands.map((command) => `sudo ${command.join(' ')}`).join(' && ')
    return `${missing}Install them with:\n\n  ${commands}\n`
  }
  if (platform === 'darwin') return `${missing}Install them with:\n\n  brew install ffmpeg\n`
  return `${missing}Install ffmpeg ${ffmpegMajor} with the package manager of this system, so that both are on the PATH.`
}

/** `5.1.6-0+deb12u1` → 5; builds from a source tree have no number. */
export function majorVersion(version: string): number | undefined {
  const match = /^n?(\d+)\./.exec(version)
  return match ? Number(match[1]) : undefined
}

/** `hidden` is where the secrets of this service lie, which even the first look at ffmpeg keeps from it. */
export async function ensureFfmpeg(
  say: (line: string) => void,
  hidden: readonly string[] = [],
): Promise<void> {
  let version = await installedVersion(hidden)
  if (version === undefined) {
    const plan = planInstall(thisMachine())
    if (plan.outcome === 'tell') throw new StopWithMessage(plan.message)
    say('Installing ffmpeg …')
    for (const command of plan.commands) runInstall(command)
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

/** Undefined unless both can be run. */
async function installedVersion(hidden: readonly string[]): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'spool-ffmpeg-'))
  const programs = ['ffmpeg', 'ffprobe']
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

function thisMachine(): Machine {
  return {
    platform: process.platform,
    hasApt: process.platform === 'linux' && existsSync('/usr/bin/apt-get'),
    isRoot: process.getuid?.() === 0,
    sudoNeedsNoPassword: spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
  }
}

function runInstall([program = '', ...args]: readonly string[]): void {
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) {
    throw new StopWithMessage(`Installing ffmpeg failed: ${[program, ...args].join(' ')}`)
  }
}
