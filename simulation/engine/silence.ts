import type { World } from './world.ts'

/** What keeps the object of a job from answering. */
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
/** Longer than an object is silent. */
const silentMs = 3 * 3_600_000

/**
 * Whether every object answers. One that does not, or not in time for a reader, takes from a record what was shown since the
 * phase began.
 */
export function isAnswering({ faults, now, lateMs }: World): boolean {
  return (
    faults.lastOf(...silencing) < now - lateMs - 30_000 &&
    faults.lastOf('object silent') < now - silentMs
  )
}
