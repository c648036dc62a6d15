import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer } from '../../support/worker/client.ts'
import { isRead } from './name-statement.ts'

/**
 * `error`: this one call fails. `crash`: nothing works from here on until the process is restarted. `blackout`: a crash
 * that also loses messages, media workers and a failed alarm. The other faults concern requests to the service.
 */
type Mishap =
  | 'error before'
  | 'error after'
  | 'crash before'
  | 'blackout after'
  | 'lost'
  | 'unanswered'
  | 'repeated'
  | 'late'

/** `then`: a second fault strikes this many steps after the first. */
export type Fault = { point: string; mishap: Mishap; then?: SecondFault }
type SecondFault = {
  steps: number
  mishap: 'error before' | 'crash before' | 'blackout after'
}

type Say = () => Promise<Answer>

/** Does something that a fault may end, which is what the tests are about. */
export async function despiteFaults(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isMeant = /fault: |process is dead|Storage did not answer/.test(String(error))
    if (!isMeant) throw error
  }
}

/**
 * Every call with which the service changes or asks anything outside its memory, each with a name at which it can fail.
 */
export class FaultPoints {
  /** The points in the order in which they were reached. */
  readonly met: string[] = []
  /** Work that an object has begun and nobody waits for, by the object's state. */
  readonly background = new Map<object, Promise<unknown>[]>()
  /** The number of faults that have struck. */
  strikes = 0
  /** True while the process is dead, so that nothing works. */
  dead = false
  #fault: Fault | undefined
  #lastMishap: Mishap | undefined
  #second: SecondFault | undefined
  #late: Say | undefined
  readonly #counts = new Map<string, number>()
  readonly #outside = new AsyncLocalStorage<true>()

  /** Forgets the last run; the next one fails at the given point. */
  arm(fault: Fault | undefined): void {
    this.met.length = 0
    this.#counts.clear()
    this.strikes = 0
    this.dead = false
    this.#late = undefined
    this.#fault = fault
    this.#lastMishap = undefined
    this.#second = undefined
  }

  get struck(): boolean {
    return this.strikes > 0
  }

  get hasBackground(): boolean {
    return this.background.size > 0
  }

  get isBlackout(): boolean {
    return this.#lastMishap === 'blackout after'
  }

  /** Runs something that others or the test itself do, so that it is not counted as the service's. */
  async outside<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#outside.run(true, work)
  }

  async meet<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value> {
    if (this.#outside.getStore()) return work()
    const point = this.#enter(name)
    const value = await work()
    this.#leave(point)
    return value
  }

  meetNow<Value>(name: string, work: () => Value): Value {
    if (this.#outside.getStore()) return work()
    const point = this.#enter(name)
    const value = work()
    this.#leave(point)
    return value
  }

  /** Sends a request to the service over a line that may fail. Undefined if no answer came. */
  async say(name: string, send: Say): Promise<Answer | undefined> {
    const point = this.#note(name)
    if (this.#falls(point, 'lost')) return undefined
    const isLate = this.#falls(point, 'late')
    const answer = this.#falls(point, 'repeated') ? await sendTwice(send) : await send()
    const isUnanswered = this.#falls(point, 'unanswered')
    await this.sayLate()
    if (isLate) this.#late = send
    return isUnanswered || this.dead ? undefined : answer
  }

  /** Delivers delayed requests a second time: after the next request, and after everything. */
  async sayLate(): Promise<void> {
    await this.#late?.()
  }

  #note(name: string): string {
    const count = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, count)
    const point = count === 1 ? name : `${name} #${count}`
    this.met.push(point)
    return point
  }

  #enter(name: string): string {
    if (this.dead) throw new Error('the process is dead')
    const point = this.#note(name)
    if (this.#second) this.#second = { ...this.#second, steps: this.#second.steps - 1 }
    this.#strike(point, ['error before', 'crash before'])
    return point
  }

  #leave(point: string): void {
    if (this.dead) throw new Error('the process is dead')
    this.#strike(point, ['error after', 'blackout after'])
  }

  #strike(point: string, mishaps: readonly Mishap[]): void {
    for (const mishap of mishaps) {
      if (!this.#falls(point, mishap)) continue
      this.dead = !mishap.startsWith('error')
      throw new Error(`fault: ${mishap} ${point}`)
    }
  }

  #falls(point: string, mishap: Mishap): boolean {
    const isSecond = this.#second?.steps === 0 && this.#second.mishap === mishap
    const isFirst = !this.struck && this.#fault?.point === point && this.#fault.mishap === mishap
    if (!isFirst && !isSecond) return false
    this.strikes++
    this.#lastMishap = mishap
    this.#second = isFirst ? this.#fault?.then : undefined
    return true
  }
}

async function sendTwice(send: Say): Promise<Answer> {
  await send()
  return send()
}

/**
 * Every fault worth trying at a point, or those that leave most to repair. Dying before a step is the same as dying
 * after the previous one, so each way to die is tried on one side only. The memory of an object cannot fail while the
 * object lives.
 */
export function faultsAt(point: string, mishaps: 'all' | 'worst'): Fault[] {
  const { all, worst } = mishapsAt(point)
  return (mishaps === 'all' ? all : worst).map((mishap) => ({ point, mishap }))
}

const mostSteps = 11
const seconds = ['error before', 'crash before', 'blackout after'] as const

/**
 * Two faults in one run: the second strikes while the first is being repaired. A sample: one pair for every third
 * point, except the last points, which leave too few steps for a second fault.
 */
export function pairsAt(points: readonly string[]): Fault[] {
  const firsts = points.slice(0, -mostSteps).filter((_, i) => i % 3 === 0)
  return firsts.flatMap((point, i) => {
    const first = faultsAt(point, 'worst').at(-1)
    const mishap = seconds[i % seconds.length]
    return first && mishap ? [{ ...first, then: { steps: 1 + ((i * 7) % mostSteps), mishap } }] : []
  })
}

function mishapsAt(point: string): { all: Mishap[]; worst: Mishap[] } {
  if (point.startsWith('says:')) {
    return { all: ['lost', 'unanswered', 'repeated', 'late'], worst: ['unanswered', 'late'] }
  }
  if (isRead(point)) return { all: ['error before'], worst: ['error before'] }
  if (point.startsWith('object:')) {
    return { all: ['crash before', 'blackout after'], worst: ['blackout after'] }
  }
  return {
    all: ['error before', 'error after', 'crash before', 'blackout after'],
    worst: ['error before', 'blackout after'],
  }
}
