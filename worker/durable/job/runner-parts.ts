import type { Env, Settings } from '../../settings.ts'
import type { JobMemory } from './job-memory.ts'
import type { MediaCarrier } from '../media-workers/media-worker.ts'

/** What all parts of a JobRunner share. */
export type RunnerParts = {
  env: Env
  settings: Settings
  memory: JobMemory
  carrier: MediaCarrier
}
