import { Chance, draw } from './chance.ts'
import { Faults, type Mishap, type Weather } from './faults.ts'
import { History } from './history.ts'
import { here, within, type Life, type Work } from './life.ts'
import { Loop } from './loop.ts'

export type WorldOptions = {
  seed: number
  startsAt: number
  weather: readonly Weather[]
  only?: ReadonlySet<string> | undefined
  keepsHistory?: boolean
  history?: History
  /** Whether calls and answers also come late. */
  comesLate?: boolean
}

/** The ways in which a call to a part of the platform may go wrong. */
export type Ways = {
  /** The call fails without having done anything. */
  fails?: Mishap
  /** The call succeeds, but its answer is lost. */
  unanswered?: Mishap
  /** The call arrives seconds late. */
  slow?: Mishap
  /** The call arrives in time, but its answer comes up to a minute late. */
  late?: Mishap
  /** The caller dies at once, and the call arrives much later. */
  outlived?: Mishap
  error: (mishap: Mishap) => Error
  /** Whether the call changes something, so that the caller has to learn its outcome. */
  changes?: boolean
  /** How much more often than elsewhere the caller dies or gets no answer. */
  weight?: number
  /** The usual time of each way, in milliseconds. */
  ms?: number
}

const slowMs = 4_000
const lateMs = 12_000
const outlivedMs = 20_000
const longestOutlivedMs = 100_000
/** The delay of an answer that waits for several late calls and statements. */
const severalLateMs = 180_000
/** Within this time, an answer is hardly ever overtaken. */
const atOnceMs = 200
const undisturbedMs = 60_000
/** How long the sweep waits for an object. */
const patienceMs = 5_000
/** How many calls whose senders have died arrive just before a later change of what has taken their place, if there is one. */
const heldBack = 0.4
/** Before which of the later changes at most. */
const lastBefore = 3

/** Far more events than any history of this length has. */
const mostEvents = 500_000
const mostWorks = 100_000

/** Time, chance and faults of one history; all code that waits for an answer waits here. */
export class World {
  readonly seed: number
  readonly loop: Loop
  readonly history: History
  readonly faults: Faults
  /** The promises found broken. The run ends with the first. */
  readonly broken: string[] = []
  /** When a version of the service last replaced another. */
  rolledOutAt = -Infinity
  /** The share of ticks that come twice although nothing goes wrong. */
  readonly doubleTicks: number = 0.1
  /** When the call that is being carried out was sent, on the clock that programs read. */
  sentAt = 0
  /** By how much promises that name a time are extended: not at all while calls and answers come in time. */
  readonly lateMs: number
  /** How often each kind of work has begun; the count is part of its name. */
  readonly #begun = new Map<string, number>()
  /** What arrives just before a later change of the life with this name. */
  readonly #heldBack = new Map<string, { changes: number; arrive: () => Promise<void> }>()
  #works = 0

  constructor(options: WorldOptions) {
    const { seed, startsAt, weather, only, keepsHistory = false, history, comesLate } = options
    this.seed = seed
    this.lateMs = comesLate === true ? severalLateMs : 0
    this.loop = new Loop(startsAt)
    this.history = history ?? new History(() => this.loop.now - startsAt, keepsHistory)
    this.faults = new Faults(this, weather, only)
  }

  get now(): number {
    return this.loop.now
  }

  /** Whether something else may have happened before a call that came at this moment was answered. */
  mayBeOvertaken(cameAt: number): boolean {
    return this.lateMs > 0 && cameAt < this.now - atOnceMs
  }

  break(promise: string): void {
    this.broken.push(promise)
    this.history.note('BROKEN', promise)
  }

  chance(key: string): Chance {
    return new Chance(this.seed, key)
  }

  draw(key: string): number {
    return draw(this.seed, key)
  }

  /** Runs code as a piece of work of this life. Rejects if the life dies during it. */
  async run<Value>(life: Life, kind: string, run: () => Promise<Value> | Value): Promise<Value> {
    const work = this.work(life, kind)
    if (life.isDead) throw new Error('Network connection lost.')
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    const alive = life.whenDead(() => reject(new Error('Network connection lost.')))
    life.pending++
    try {
      within(work, async () => run()).then(resolve, reject)
      return await promise
    } finally {
      life.pending--
      alive()
    }
  }

  /** The same for code that never waits. */
  runNow<Value>(life: Life, kind: string, run: () => Value): Value {
    return within(this.work(life, kind), run)
  }

  /** A piece of work that goes on by itself. */
  work(life: Life, kind: string): Work {
    // An alarm that rings again at once makes no calls.
    if (++this.#works === mostWorks) this.break(`${kind} goes on and on without an end`)
    const count = (this.#begun.get(kind) ?? 0) + 1
    this.#begun.set(kind, count)
    const name = count === 1 ? kind : `${kind} ${count}`
    const chance = new Chance(this.seed, name)
    const used = { statements: 0, subrequests: 0 }
    return { life, name, chance, asked: 0, changes: new Map(), behind: 0, used }
  }

  /** Calls a part of the platform for whatever code runs. */
  async ask<Value>(what: string, act: () => Promise<Value> | Value, ways: Ways): Promise<Value> {
    const work = here()
    const { life } = work
    const key = `${work.name} #${work.asked++} ${what}`
    const sentAt = this.loop.wall
    if (life.isDead) return new Promise<never>(() => undefined)
    if (work.isOver) return this.#tooLate(work.name, what)
    this.history.note(work.name, what)
    if (this.history.count > mostEvents) this.break('something goes on and on without an end')
    const answered = Promise.withResolvers<Value>()
    const { ms = 8 } = ways
    const isSlow = ways.slow !== undefined && this.faults.strikes(ways.slow, key)
    const isOutlived =
      ways.outlived !== undefined &&
      this.#isMortal(life) &&
      this.faults.strikes(ways.outlived, key, ways.weight)
    const wayMs = isOutlived ? this.outlivedMs(key) : this.#wayMs(key, isSlow ? slowMs : ms)
    life.pending++
    if (ways.changes) work.changes.set(key, this.now)
    const back = (settle: () => void): void => {
      const isLate = ways.late !== undefined && this.faults.strikes(ways.late, key)
      const backMs = this.#wayMs(`${key} back`, isLate ? lateMs : ms)
      if (isLate) this.#mayDieWithin(backMs, life, key)
      this.loop.in(backMs, () => {
        life.pending--
        work.changes.delete(key)
        life.reach(() => {
          if (life.isDead || this.#dies(life, key)) return
          settle()
        })
      })
    }
    const arrive = async (): Promise<void> => {
      if (isOutlived) this.history.note(work.name, `arrives late: ${what}`)
      const actNow = (): Promise<Value> | Value => {
        this.sentAt = sentAt
        return act()
      }
      await this.#act(key, actNow, ways).then(
        (value) => back(() => answered.resolve(value)),
        (error: unknown) => back(() => answered.reject(error)),
      )
    }
    if (isOutlived) this.#outlive({ life, key, what, wayMs }, arrive)
    else {
      if (isSlow) this.#mayDieWithin(wayMs, life, key)
      this.loop.in(wayMs, () => {
        const held = ways.changes === true ? this.#passing(life, what) : undefined
        void (held ? held().then(arrive) : arrive())
      })
    }
    return answered.promise
  }

  /**
   * The caller dies, and the call arrives much later: after some time, or at the worst moment, which is between what another
   * life in its place has read and what that writes.
   */
  #outlive(
    { life, key, what, wayMs }: { life: Life; key: string; what: string; wayMs: number },
    arrive: () => Promise<void>,
  ): void {
    this.loop.in(0, () => life.end())
    const isHeldBack = this.draw(`holds back ${key}`) < heldBack
    let isOnItsWay = true
    const once = async (): Promise<void> => {
      if (!isOnItsWay) return
      isOnItsWay = false
      await arrive()
    }
    if (isHeldBack) {
      const changes = 1 + Math.floor(lastBefore * this.draw(`before which change ${key}`))
      this.#heldBack.set(placeOf(life, what), { changes, arrive: once })
    }
    this.loop.in(isHeldBack ? longestOutlivedMs : wayMs, () => void once())
  }

  /** What arrives just before this change. */
  #passing(life: Life, what: string): (() => Promise<void>) | undefined {
    const place = placeOf(life, what)
    const held = this.#heldBack.get(place)
    if (!held || --held.changes > 0) return undefined
    this.#heldBack.delete(place)
    return held.arrive
  }

  /** Checks work that has answered: unless a fault struck, it must have waited for all of its changes. */
  answers({ name, changes, behind }: Work): void {
    const [left] = [...changes].find(([, since]) => since > this.now - patienceMs) ?? []
    if (left !== undefined && behind === 0) this.#notWaited(name, left.slice(name.length + 1))
  }

  /** The platform ends an invocation that has answered. */
  async #tooLate(name: string, what: string): Promise<never> {
    this.#notWaited(name, what)
    return new Promise<never>(() => undefined)
  }

  #notWaited(name: string, what: string): void {
    const lastAt = Math.max(this.faults.lastHarmAt, this.faults.lastOf('archive fails'))
    if (lastAt < this.now - undisturbedMs)
      this.break(`${name} is over, and nobody has waited for ${what}`)
  }

  /** How long after the death of its sender a call arrives. */
  outlivedMs(key: string): number {
    return this.#wayMs(key, outlivedMs)
  }

  async #act<Value>(key: string, act: () => Promise<Value> | Value, ways: Ways): Promise<Value> {
    const { fails, unanswered, weight, error } = ways
    if (fails && this.faults.strikes(fails, key)) throw error(fails)
    const value = await act()
    if (unanswered && this.faults.strikes(unanswered, key, weight)) throw error(unanswered)
    return value
  }

  /** A caller that waits long may die before it hears the answer. */
  #mayDieWithin(ms: number, life: Life, key: string): void {
    if (!this.#isMortal(life) || !this.faults.strikes('asker dies', key)) return
    this.loop.in(ms * this.faults.degree('asker dies', key), () => life.end())
  }

  /** Whether it may die here: media workers come to harm in ways of their own. */
  #isMortal({ name }: Life): boolean {
    return name.startsWith('isolate') || name.startsWith('object')
  }

  /** The platform ends isolates, and moves objects, whenever it likes. */
  #dies(life: Life, key: string): boolean {
    const mishap = life.name.startsWith('isolate') ? 'isolate dies' : 'object moves'
    if (!this.#isMortal(life) || !this.faults.strikes(mishap, key)) return false
    life.end()
    return true
  }

  /** How long a call is on its way: mostly the usual time, sometimes much longer. */
  #wayMs(key: string, ms: number): number {
    const drawn = this.draw(`ms ${key}`)
    return ms * (0.2 + drawn + 4 * drawn ** 12)
  }
}

/** Which life makes changes to which part of the platform, whether it is the first of its name or has taken the place of one. */
function placeOf({ name }: Life, what: string): string {
  return `${name} ${what.slice(0, 2)}`
}
