import path from 'node:path'
import { root, wranglerCli } from '../machine/checkout.ts'
import type { DataDirectory } from './data-directory.ts'
import type { PartPlan } from './part.ts'
import { mediaVariables, wranglerVariables } from './part-environments.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import { sweepWorkDirectory } from './sweep-work-directory.ts'

export type Run = { settings: Settings; data: DataDirectory; secrets: Secrets }

export const workerName = 'Worker'

/** The file that a media worker begins with; the container image runs the same. */
export const mediaWorkerEntry = 'containers/main.ts'

const localConfig = ['--config', path.join(root, 'wrangler.toml')]

/** `wrangler dev` on this machine alone: nothing below leaves the loopback. */
export function workerPlan({ settings, data }: Run, onLine: (line: string) => void): PartPlan {
  return {
    name: workerName,
    command: process.execPath,
    args: [
      ...['--no-warnings', wranglerCli, 'dev', '--local', ...localConfig],
      ...['--ip', '127.0.0.1', '--port', String(settings.PORT), '--inspector-port', '0'],
      ...['--persist-to', data.state, '--env-file', data.workerEnv],
      '--show-interactive-dev-session=false',
    ],
    cwd: root,
    env: wranglerVariables(data),
    onLine,
    stops: 'group',
    stopSignal: 'SIGTERM',
  }
}

export function migrationArguments(data: DataDirectory): string[] {
  const apply = ['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', data.state]
  return ['--no-warnings', wranglerCli, ...apply, ...localConfig]
}

export type MediaPlace = { number: number; port: number }

export function mediaWorkerUrl({ port }: MediaPlace): string {
  return `http://127.0.0.1:${port}`
}

export function mediaWorkerPlan(
  { settings, data, secrets }: Run,
  place: MediaPlace,
  onLine: (line: string) => void,
): PartPlan {
  const workDirectory = data.work(place.number)
  return {
    name: `Media worker ${place.number}`,
    command: process.execPath,
    args: [path.join(root, mediaWorkerEntry)],
    cwd: root,
    env: mediaVariables(settings, secrets, { port: place.port, workDirectory }),
    onLine,
    // It hands its jobs back first; an ffmpeg killed under it would look like a failed job.
    stops: 'leader',
    // Whoever stops the service waits for it; after a SIGTERM it would finish what is nearly done.
    stopSignal: 'SIGINT',
    sweep: () => sweepWorkDirectory(workDirectory),
  }
}
