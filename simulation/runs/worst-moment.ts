import type { Order } from '../actors/customer.ts'
import type { Fault, Mishap } from '../engine/faults.ts'
import type { World } from '../engine/world.ts'

/** What leaves something under way of which the object of a job knows nothing. */
const halfDone = new Set<Mishap>([
  'sender dies',
  'statement slow',
  'statement unanswered',
  'bucket slow',
  'object moves',
  'media worker shut down',
])
/** How often somebody cancels just then. */
const share = 0.3
/** A statement arrives as late as this after its sender has died. */
const withinMs = 20_000

/** Customers cancel at the worst moment: when something has just gone wrong with the job, and is not yet made good. */
export function cancelAtWorstMoment(
  world: World,
  orders: readonly Order[],
): (fault: Fault) => void {
  return ({ id, mishap, key }) => {
    if (!halfDone.has(mishap) || world.draw(`worst moment of ${id}`) >= share) return
    const jobId = /\bj_\w+/.exec(key)?.[0]
    if (jobId === undefined) return
    const afterMs = 100 + withinMs * world.draw(`how long after ${id}`) ** 4
    world.loop.in(afterMs, () => void orders.find((one) => one.jobId === jobId)?.cancelNow())
  }
}
