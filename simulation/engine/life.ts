import { AsyncLocalStorage } from 'node:async_hooks'
import type { Chance } from './chance.ts'

/**
 * A process, an isolate or an object that can die at any await: whatever it waits for then never comes. A frozen one gets all
 * of it when it thaws.
 */
export class Life {
  readonly name: string
  /** The memory that its isolate keeps between two events. */
  readonly memories: Map<object, unknown>
  /** How many answers and timers it waits for. */
  pending = 0
  readonly #above: Life | undefined
  #isDead = false
  #held: (() => void)[] | undefined
  readonly #onDeath = new Set<() => void>()
  readonly #leave: (() => void) | undefined

  /** `above`: the life that it dies with and whose memory it shares, as an object does with its isolate. */
  constructor(name: string, above?: Life) {
    this.name = name
    this.#above = above
    this.memories = above?.memories ?? new Map<object, unknown>()
    this.#leave = above?.whenDead(() => this.end())
  }

  get isDead(): boolean {
    return this.#isDead || (this.#above?.isDead ?? false)
  }

  get isFrozen(): boolean {
    return this.#held !== undefined
  }

  /** Lets it continue with an answer that has arrived for it. */
  reach(goOn: () => void): void {
    if (this.isDead) return
    if (this.#held) this.#held.push(goOn)
    else goOn()
  }

  freeze(): void {
    this.#held ??= []
  }

  thaw(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const goOn of held) this.reach(goOn)
  }

  whenDead(tell: () => void): () => void {
    this.#onDeath.add(tell)
    return () => this.#onDeath.delete(tell)
  }

  end(): void {
    if (this.#isDead) return
    this.#isDead = true
    this.#leave?.()
    const told = [...this.#onDeath]
    this.#onDeath.clear()
    for (const tell of told) tell()
  }
}

/** One event that a life works on: a request, a message, a tick, an alarm, a call. */
export type Work = {
  readonly life: Life
  /** The same in every history that contains this work. */
  readonly name: string
  readonly chance: Chance
  /** How often it has called the platform. */
  asked: number
  /** Changes that it has requested and whose answers have not come yet. */
  readonly changes: Map<string, number>
  /** How much work, announced to the platform, goes on after its own answer. */
  behind: number
  /** Whether it is an invocation of the Worker that has ended: whatever it did not wait for never comes. */
  isOver?: boolean
  /** What it has used of the platform's limits. */
  readonly used: { statements: number; subrequests: number }
}

const working = new AsyncLocalStorage<Work>()

export function within<Value>(work: Work, run: () => Value): Value {
  return working.run(work, run)
}

/** The work to which the running code belongs. */
export function here(): Work {
  const work = working.getStore()
  if (!work) throw new Error('this code runs for nobody')
  return work
}
