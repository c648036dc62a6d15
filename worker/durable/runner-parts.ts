import type { Env, Settings } from '../settings.ts'
import type { JobToRun } from '../store/jobs.ts'
import type { JobMemory } from './job-memory.ts'
import type { MediaCarrier } from './media-worker.ts'

/** What all parts of a JobRunner share. */
export type RunnerParts = {
  /** In the database where the job is; read it again after every wait for another object. */
  readonly env: Env
  /** The job, wherever its account lives now. */
  find: (jobId: string) => Promise<JobToRun | undefined>
  settings: Settings
  memory: JobMemory
  carrier: MediaCarrier
}
