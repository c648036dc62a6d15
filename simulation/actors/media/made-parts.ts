import type { PartTry } from '../../../worker/contract/job/part-job.ts'
import type { World } from '../../engine/world.ts'

type Try = PartTry & { jobId: string; fence: number }

/** After this long without a fault, all that was lost has been found again. */
const undisturbedMs = 25 * 60_000
const known = new WeakMap<World, MadeParts>()

/** The parts of films that media workers of this world make for others. */
export function madeParts(world: World): MadeParts {
  const parts = known.get(world) ?? new MadeParts(world)
  known.set(world, parts)
  return parts
}

/** Knows what media workers make for others, so that what their leads are told of it can be compared with that. */
class MadeParts {
  readonly #world: World
  /** Whether the media worker of each lives. */
  readonly #begun = new Map<string, () => boolean>()
  readonly #whole = new Set<string>()
  readonly #pictures = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
  }

  /** A try is made once: another media worker that makes the same would write into the same file. */
  begins(of: Try, isAlive: () => boolean): void {
    const name = nameOf(of)
    if (this.#begun.has(name) && this.#isCalm) this.#world.break(`${name} is made twice`)
    this.#begun.set(name, isAlive)
  }

  /** It is stored, and its media worker is about to tell that as it is. */
  isWhole(of: Try): void {
    this.#whole.add(nameOf(of))
  }

  /** Its lead was told how much of it is made, which never falls. */
  toldProgress(of: Try, pictures: number): void {
    const name = nameOf(of)
    const before = this.#pictures.get(name) ?? 0
    if (pictures < before)
      this.#world.break(`${name} had ${before} pictures, and its lead is told of ${pictures}`)
    this.#pictures.set(name, pictures)
  }

  /** Its lead was told that it has failed. Unless something else fails, what is stored is not lost. */
  toldFailure(of: Try, why: string): void {
    const name = nameOf(of)
    if (why.includes('has stopped') && this.#begun.get(name)?.())
      this.#world.break(`${name} is lost with its container, which goes on`)
    if (!this.#isCalm) return
    if (why.includes('silent'))
      this.#world.break(`${name} is called silent, and nothing has failed`)
    if (this.#whole.has(name)) this.#world.break(`${name} is stored, and its lead is told: ${why}`)
  }

  /** The same request, sent twice, had these answers, in the order in which they came; only one behind a refusal may differ. */
  toldTwice(of: Try, [one, other]: readonly boolean[]): void {
    const name = nameOf(of)
    if (!this.#isCalm) return
    if (one && !other)
      this.#world.break(`${name} was given twice, and only one answer says that it was taken`)
    if (!one && !other && this.#begun.has(name))
      this.#world.break(`${name} was given twice, and both answers deny that it was taken`)
  }

  get #isCalm(): boolean {
    const { faults, now } = this.#world
    return faults.lastHarmAt < now - undisturbedMs
  }
}

function nameOf({ n, jobId, fence, try: number }: Try): string {
  return `part ${n} of ${jobId} (attempt ${fence}, try ${number})`
}
