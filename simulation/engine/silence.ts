import type { World } from './world.ts'

/** The mishaps that keep the object of a job from answering. */
const silencing = [
  'call fails',
  'call slow',
  'call answered late',
  'asker dies',
  'object moves',
  'isolate of objects dies',
  'isolate dies',
  'sender dies',
  'rollout',
] as const
/** Longer than an object stays silent. */
const silentMs = 3 * 3_600_000

/**
 * Whether every object answers. If one does not, or not in time for a reader, a record lacks what was shown since the phase
 * began.
 */
export function isAnswering({ faults, now, lateMs }: World): boolean {
  return (
    faults.lastOf(...silencing) < now - lateMs - 30_000 &&
    faults.lastOf('object silent') < now - silentMs
  )
}
