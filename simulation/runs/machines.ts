import { Containers } from '../actors/media/containers.ts'
import { MediaWorker, type MediaOptions } from '../actors/media/media-worker.ts'
import { PartOffers } from '../promises/part-offers.ts'
import type { Exported } from '../engine/program.ts'
import type { World } from '../engine/world.ts'
import type { Disk } from '../platform/deployment.ts'
import type { Network } from '../platform/network.ts'

export const workerToken = 'a media worker token'

type Hearing = Pick<MediaOptions, 'onOffer' | 'onCancel' | 'onWork' | 'onWorkOver' | 'onDeath'>
type Parts = { world: World; network: Network; program: Exported }

/**
 * The machines that render: in half of the worlds a few media workers, in the others a container for each job. Whether the
 * service itself runs on a machine with a disk does not depend on that.
 */
export function makeMachines(
  { world, network, program }: Parts,
  hearing: Hearing,
): {
  workers: readonly MediaWorker[]
  containers: Containers | undefined
  disk: Disk | undefined
} {
  const hasDisk = world.draw('has a disk') < 0.5
  const disk = hasDisk ? { freeBytes: 800_000_000, totalBytes: 1_000_000_000 } : undefined
  const count = 2 + Math.floor(2 * world.draw('media workers'))
  if (world.draw('containers') < 0.5) {
    const parts = { network, program, ...hearing }
    return { workers: [], containers: new Containers(world, parts, count), disk }
  }
  const offers = new PartOffers(world, () => workers)
  const { onPart } = offers
  const workers: MediaWorker[] = Array.from({ length: count }, (_, i) => {
    const name = `media-${i + 1}`
    const slots = 1 + Math.floor(2 * world.draw(`slots of ${name}`))
    const rooms = { slots, fetching: 4, graceMs: 20_000 }
    return new MediaWorker(world, program, {
      ...{ name, token: workerToken, onPart },
      ...rooms,
      ...hearing,
    })
  })
  return { workers, containers: undefined, disk }
}
