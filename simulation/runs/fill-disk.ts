import type { Weather } from '../engine/faults.ts'
import type { Simulation } from './simulation.ts'

const share = 0.3
/** A request that has seen room may be stored so much later. */
const knownMs = 120_000
/** Customers try again for longer. */
const longestMs = 2_400_000

/**
 * In some storms the disk of the service is full, and has room again before the storm is over. Nothing new is taken until then,
 * and what was accepted goes on.
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
    world.history.note('disk', fullFrom === undefined ? 'has room again' : 'is full')
  }
  for (const { from, until } of storms) {
    if (world.draw(`disk in the storm of ${from}`) >= share) continue
    world.loop.in(from - world.now, () => leave(totalBytes / 10 - 1, world.now + knownMs))
    const lifted = Math.min(until, from + longestMs)
    world.loop.in(lifted - world.now, () => leave(freeBytes, undefined))
  }
}
