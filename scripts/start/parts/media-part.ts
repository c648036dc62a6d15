import path from 'node:path'
import { root } from '../../machine/checkout.ts'
import { ownVariables } from '../own-machine.ts'
import type { PartPlan } from './part.ts'
import { mediaSecrets, mediaVariables } from './part-environments.ts'
import type { ServiceRun } from '../run.ts'
import { sweepWorkDirectory } from '../data/sweep-work-directory.ts'

/** The entry file of a media worker, the same as in the container image. */
export const mediaWorkerEntry = 'containers/main.ts'

export type MediaPlace = { number: number; port: number }

export function mediaWorkerUrl({ port }: MediaPlace): string {
  return `http://127.0.0.1:${port}`
}

export function mediaWorkerPlan(
  { settings, data, secrets, own }: ServiceRun,
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
    // Only the leader is stopped: it hands its jobs back first, and a killed ffmpeg would look like a failed job.
    stops: 'leader',
    // A person waits for the service to stop; after a SIGTERM it would finish jobs that are nearly done.
    stopSignal: 'SIGINT',
    sweep: () => sweepWorkDirectory(workDirectory),
  }
}
