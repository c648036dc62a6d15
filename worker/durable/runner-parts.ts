import type { Env, Settings } from '../settings.ts'
import type { JobMemory } from './job-memory.ts'
import type { MediaCarrier } from './media-worker.ts'

/** What every part of a JobRunner works with. */
export type RunnerParts = {
  env: Env
  settings: Settings
  memory: JobMemory
  carrier: MediaCarrier
}
