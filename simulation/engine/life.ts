import { AsyncLocalStorage } from 'node:async_hooks'
import type { Chance } from './chance.ts'

/**
 * A process, an isolate or an object that can die at any await: whatever it waits for then never comes. One that is frozen
 * gets all of it when it comes back.
 */
export class Life {
  readonly name: string
  /** What its isolate remembers between two events. */
  readonly memories: Map<object, unknown>
  /** How many answers and timers it waits for. */
  pending = 0
  readonly #above: Life | undefined
  #isDead = false
  #held: (() => void)[] | undefined
  readonly #onDeath = new Set<() => void>()
  readonly #leave: (() => void) | undefined

  /** `above`: dies with it, and shares its memory, as an object does with its isolate. */
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

  /** Lets it go on with something that has come for it. */
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
  /** The same in every history in which it happens. */
  readonly name: string
  readonly chance: Chance
  /** How often it has asked for something. */
  asked: number
  /** Changes that it has asked for, and that are not answered yet. */
  readonly changes: Map<string, number>
  /** How much goes on behind its own answer, of which the platform was told. */
  behind: number
  /** An invocation of the Worker that has ended: what it has not waited for never comes. */
  isOver?: boolean
  /** What the platform limits. */
  readonly used: { statements: number; subrequests: number }
}

const working = new AsyncLocalStorage<Work>()

export function within<Value>(work: Work, run: () => Value): Value {
  return working.run(work, run)
}

/** The work that the running code does. */
export function here(): Work {
  const work = working.getStore()
  if (!work) throw new Error('this code runs for nobody')
  return work
}
