import type { PartJob } from '../../worker/contract/job/part-job.ts'
import type { MediaWorker, PartOffer } from '../actors/media/media-worker.ts'
import type { World } from '../engine/world.ts'

/** After this long without a fault, nobody is left out because they were silent. */
const undisturbedMs = 25 * 60_000

/** A part of a film goes to other media workers first: the slots of the one that has the film share its cores. */
export class PartOffers {
  readonly #world: World
  readonly #workers: () => readonly MediaWorker[]
  /** The media workers to which each part was offered. */
  readonly #offered = new Map<string, Set<string>>()

  constructor(world: World, workers: () => readonly MediaWorker[]) {
    this.#world = world
    this.#workers = workers
  }

  readonly onPart = (part: PartJob, { worker, isLead, isTaken }: PartOffer): void => {
    const { jobId, fence, n, try: number } = part
    const name = `part ${n} of ${jobId} (attempt ${fence}, try ${number})`
    const offered = this.#offered.get(name) ?? new Set()
    this.#offered.set(name, offered.add(worker))
    const { faults, now } = this.#world
    if (!isLead || !isTaken || faults.lastHarmAt > now - undisturbedMs) return
    const passed = this.#workers().find((one) => one.isUp && !offered.has(one.name))
    if (passed)
      this.#world.break(`${name} stays with its lead ${worker}, and ${passed.name} was not asked`)
  }
}
