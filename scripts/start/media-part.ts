import path from 'node:path'
import { root } from '../machine/checkout.ts'
import { ownVariables } from './own-machine.ts'
import type { PartPlan } from './part.ts'
import { mediaSecrets, mediaVariables } from './part-environments.ts'
import type { Run } from './run.ts'
import { sweepWorkDirectory } from './sweep-work-directory.ts'

/** The file that a media worker begins with; the container image runs the same. */
export const mediaWorkerEntry = 'containers/main.ts'

export type MediaPlace = { number: number; port: number }

export function mediaWorkerUrl({ port }: MediaPlace): string {
  return `http://127.0.0.1:${port}`
}

export function mediaWorkerPlan(
  { settings, data, secrets, own }: Run,
  place: MediaPlace,
  onLine: (line: string) => void,
): PartPlan {
  const workDirectory = data.work(place.number)
  return {
    name: `Media worker ${place.number}`,
    command: process.execPath,
    args: [path.join(root, mediaWorkerEntry)],
    cwd: root,
    env: {
      ...mediaVariables(settings, { port: place.port, workDirectory }),
      ...ownVariables(own),
    },
    secrets: mediaSecrets(settings, secrets),
    onLine,
    // It hands its jobs back first; an ffmpeg killed under it would look like a failed job.
    stops: 'leader',
    // A person who stops the service waits for it; after a SIGTERM it would finish what is nearly done.
    stopSignal: 'SIGINT',
    sweep: () => sweepWorkDirectory(workDirectory),
  }
}
