import type { World } from '../engine/world.ts'
import type { Answer } from './exchange.ts'
import { isAnswering } from '../engine/silence.ts'

type Told = Record<string, unknown>
type Renamed = {
  readonly name: string
  readonly isOver: boolean
  rename(): Promise<Answer | undefined>
}

export const newName = 'renamed'
/** The notes that come with it. */
export const newNotesOf = (name: unknown) => ({ order: name })
const share = 0.5
/** While nothing fails, a page that follows a video learns of a change at once. */
const heardWithinMs = 3_000
const undisturbedMs = 60_000

/** A customer renames a video while it is made. */
export class EarlyRename {
  readonly #world: World
  readonly #order: Renamed
  readonly #told: () => Told | undefined
  #isDone = false

  /** `told`: the last record that a page following the video received. */
  constructor(world: World, order: Renamed, told: () => Told | undefined) {
    this.#world = world
    this.#order = order
    this.#told = told
  }

  async begin(): Promise<void> {
    const { name } = this.#order
    if (this.#world.draw(`${name} renames early`) >= share) return
    await this.#world.loop.pause(20_000 * this.#world.draw(`${name} is renamed after`) ** 2)
    if (this.#order.isOver) return
    const answer = await this.#order.rename()
    if (answer?.status !== 200) return
    this.#isDone = true
    await this.#expectHeard()
  }

  /** Long after the end. */
  judge({ videoName }: Told): void {
    if (!this.#isDone || videoName === newName) return
    const { name } = this.#order
    this.#world.break(`${name}: a name was confirmed, and is read as ${String(videoName)}`)
  }

  async #expectHeard(): Promise<void> {
    const { faults, loop } = this.#world
    await loop.pause(heardWithinMs)
    const record = this.#told()
    const isCalm = faults.lastAt < this.#world.now - undisturbedMs && isAnswering(this.#world)
    const isMade = record?.['status'] === 'queued' || record?.['status'] === 'running'
    // After the end, followers hear nothing more.
    if (this.#order.isOver || !record || !isMade || !isCalm) return
    if (record['videoName'] !== newName)
      this.#world.break(`${this.#order.name}: who follows a video was not told its new name`)
  }
}
