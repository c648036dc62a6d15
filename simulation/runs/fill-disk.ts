import type { Weather } from '../engine/faults.ts'
import type { Simulation } from './simulation.ts'

const share = 0.3
/** The share of full disks that have no room for results, either. */
const resultsShare = 0.3
/** Isolates look at the disk twice a second. */
const seenMs = 1_000
/** A request that has seen room may be stored this much later. */
const knownMs = 120_000
/** For longer than this, customers try again. */
const longestMs = 2_400_000

/**
 * In some storms, the disk of the service is full for a while. Then new videos are refused and accepted ones go on; but if
 * results have no room either, those made meanwhile fail.
 */
export function fillDisk(
  { world, disk, refusals }: Pick<Simulation, 'world' | 'disk' | 'refusals'>,
  storms: readonly Weather[],
): void {
  if (!disk) return
  const { freeBytes, totalBytes } = disk
  const leave = (bytes: number, fullFrom: number | undefined): void => {
    disk.freeBytes = bytes
    refusals.diskFull(fullFrom)
    if (fullFrom === undefined) refusals.noRoomForResults(undefined)
    world.history.note('disk', fullFrom === undefined ? 'has room again' : 'is full')
  }
  for (const { from, until } of storms) {
    const drawn = world.draw(`disk in the storm of ${from}`) / share
    if (drawn >= 1) continue
    world.loop.in(from - world.now, () => {
      // The first half of the reserve is for results.
      leave(totalBytes / (drawn < resultsShare ? 20 : 10) - 1, world.now + knownMs + world.lateMs)
      // Where two storms meet, the second one may leave room for results again.
      refusals.noRoomForResults(drawn < resultsShare ? world.now + seenMs : undefined)
    })
    const lifted = Math.min(until, from + longestMs)
    world.loop.in(lifted - world.now, () => leave(freeBytes, undefined))
  }
}
