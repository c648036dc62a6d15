import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { StopWithMessage } from './stop-with-message.ts'

type Machine = {
  platform: NodeJS.Platform
  hasApt: boolean
  isRoot: boolean
  sudoNeedsNoPassword: boolean
}

/** A Debian package, or several with blanks between them, and what to tell the user if it cannot be installed without asking. */
type Wanted = {
  package: string
  /** Such as `ffmpeg and ffprobe are missing.` */
  missing: string
  brew: string
  otherwise: string
}

type InstallPlan =
  | { outcome: 'install'; commands: string[][] }
  | { outcome: 'tell'; message: string }

/** Another installation, such as the daily updates of the system, may hold the lock for minutes. */
const waitForOthers = ['-o', 'DPkg::Lock::Timeout=300']

function aptCommands(name: string): string[][] {
  return [
    ['apt-get', 'update', ...waitForOthers],
    [
      'apt-get',
      'install',
      ...waitForOthers,
      '--yes',
      '--no-install-recommends',
      ...name.split(' '),
    ],
  ]
}

/** Decides what to do about a missing program: install it if that needs no password, otherwise say exactly how. */
export function planInstall(machine: Machine, wanted: Wanted): InstallPlan {
  const commands = aptCommands(wanted.package)
  if (machine.hasApt && machine.isRoot) return { outcome: 'install', commands }
  if (machine.hasApt && machine.sudoNeedsNoPassword) {
    return { outcome: 'install', commands: commands.map((command) => ['sudo', '-n', ...command]) }
  }
  return { outcome: 'tell', message: howToInstall(machine, wanted) }
}

function howToInstall({ platform, hasApt }: Machine, wanted: Wanted): string {
  if (hasApt) {
    const commands = aptCommands(wanted.package).map((command) => `sudo ${command.join(' ')}`)
    return `${wanted.missing} Install with:\n\n  ${commands.join(' && ')}\n`
  }
  if (platform === 'darwin') return `${wanted.missing} Install with:\n\n  ${wanted.brew}\n`
  return `${wanted.missing} ${wanted.otherwise}`
}

/** Installs the package, or stops with instructions. */
export function installWithApt(wanted: Wanted, say: (line: string) => void): void {
  const plan = planInstall(thisMachine(), wanted)
  if (plan.outcome === 'tell') throw new StopWithMessage(plan.message)
  say(`Installing ${wanted.package} … If apt is busy, this waits for it, for up to five minutes.`)
  for (const command of plan.commands) runInstall(command, wanted.package)
}

function thisMachine(): Machine {
  return {
    platform: process.platform,
    hasApt: process.platform === 'linux' && existsSync('/usr/bin/apt-get'),
    isRoot: process.getuid?.() === 0,
    sudoNeedsNoPassword: spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0,
  }
}

function runInstall([program = '', ...args]: readonly string[], name: string): void {
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (status !== 0) {
    throw new StopWithMessage(`Installing ${name} failed: ${[program, ...args].join(' ')}`)
  }
}
