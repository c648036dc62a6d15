import { cloned } from '../engine/cloned.ts'
import { here, Life, type Work } from '../engine/life.ts'
import type { Scheduled } from '../engine/loop.ts'
import type { Ways, World } from '../engine/world.ts'
import { countUse } from './limits.ts'
import { ObjectStorage } from './storage.ts'

/** A call that an object has answered. */
export type Answered = {
  name: string
  method: string
  given: readonly unknown[]
  answer: unknown
  /** When the object was called. */
  cameAt: number
}

type Method = (...given: unknown[]) => unknown
type Living = Record<string, Method | undefined>
type ObjectClass = new (ctx: unknown, env: unknown) => unknown

/** What a namespace has to know about its class. */
type ClassOptions = {
  name: string
  /** Called for every call, including alarms. */
  onCall?: () => void
  make: () => ObjectClass
  env: () => unknown
  /** The isolate in which the object of this name lives now. */
  isolateOf: (name: string) => Life
  container?: (name: string) => unknown
  /** Called with every call that an object has answered. */
  onAnswer?: ((call: Answered) => void) | undefined
}

const ways: Ways = {
  fails: 'call fails',
  unanswered: 'call fails',
  slow: 'call slow',
  late: 'call answered late',
  changes: true,
  ms: 12,
  error: () => new Error('Network connection lost.'),
}
/** Calls that only read how far a job has come or where it stands; their callers wait only briefly. */
const waysOfReads: Ways = { ...ways, changes: false }
const reads = new Set(['JobRunner progress', 'JobRunner parts', 'Dispatcher placesOf'])
const waysOfMessages: Ways = { ...ways, fails: 'hand-over fails', unanswered: 'hand-over fails' }
/** The calls that the consumers of queues make to objects. */
const handOvers = new Set(['JobRunner dispatch', 'WebhookEndpoint offer'])
/** The ways of the one call that starts a courier: if it is lost, the sweep repeats it. */
const waysOfCouriers: Ways = {
  ...ways,
  fails: 'courier not called',
  unanswered: 'courier not called',
}

/** This class sends while it answers, and an alarm that was set before finds what is left. */
const sendsBehind = 'WebhookEndpoint'

/** An object that nobody has called for this long, and that waits for nothing, leaves the memory. */
const idleMs = { least: 10_000, most: 140_000 }
const alarmTries = 6
const silentMs = 2 * 3_600_000
const silentAnswerMs = 1_000

/** All Durable Objects of one class. */
export class Namespace {
  readonly cells = new Map<string, Cell>()
  /** The requests that are charged: calls from outside the object, and alarms. */
  calls = 0
  readonly #world: World
  readonly #options: ClassOptions
  #met: { method: string; first: (name: string) => Promise<unknown> } | undefined

  constructor(world: World, options: ClassOptions) {
    this.#world = world
    this.#options = { ...options, onCall: () => void this.calls++ }
  }

  /** The service's `env.JOB_RUNNER`. */
  readonly binding = {
    getByName: (name: string) => this.#stub(name),
  }

  /** Does something before the next call of this method arrives. If that fails, so does the call. */
  meet(method: string, first: (name: string) => Promise<unknown>): void {
    this.#met = { method, first }
  }

  cell(name: string): Cell {
    const known = this.cells.get(name)
    if (known) return known
    const made = new Cell(this.#world, this.#options, name)
    this.cells.set(name, made)
    return made
  }

  /** Drops objects whose storage is empty. */
  forget(): void {
    for (const [name, cell] of this.cells) {
      if (!cell.isBlank) continue
      cell.die()
      this.cells.delete(name)
    }
  }

  /** Ends all objects together with the world. */
  close(): void {
    for (const { storage } of this.cells.values()) storage.close()
  }

  #stub(name: string): unknown {
    countUse('subrequests', (broken) => this.#world.break(broken))
    return new Proxy(
      {},
      {
        get: (_, method) => {
          if (typeof method !== 'string' || method === 'then') return undefined
          return async (...given: unknown[]) => this.#call(name, method, given)
        },
      },
    )
  }

  async #call(name: string, method: string, given: unknown[]): Promise<unknown> {
    const what = `${this.#options.name}(${name}).${method}`
    const sent: unknown = cloned(given)
    if (this.#met?.method === method) {
      const { first } = this.#met
      this.#met = undefined
      await first(name)
    }
    return this.#world.ask(
      what,
      async () => cloned(await this.cell(name).call(method, sent as unknown[])),
      this.#waysOf(method),
    )
  }

  #waysOf(method: string): Ways {
    const call = `${this.#options.name} ${method}`
    if (call === 'Courier begin') return waysOfCouriers
    if (reads.has(call)) return waysOfReads
    // If the call for a dead letter fails, the sweep takes care of it.
    return handOvers.has(call) && !here().name.includes('-dlq') ? waysOfMessages : ways
  }
}

/** One object: its storage, which stays, and its life in memory, which does not. */
export class Cell {
  readonly storage: ObjectStorage
  readonly #world: World
  readonly #options: ClassOptions
  readonly #name: string
  readonly #container: unknown
  #life: Life | undefined
  #living: Living | undefined
  #usedAt = 0
  #alarm: Scheduled | undefined
  #isRinging = false
  #silentUntil = 0
  /** Whether its alarm has failed so often that the platform has given it up. */
  isGivenUp = false

  constructor(world: World, options: ClassOptions, name: string) {
    this.#world = world
    this.#options = options
    this.#name = name
    this.#container = options.container?.(name)
    this.storage = new ObjectStorage(world, (at) => this.#setAlarm(at))
  }

  get isAwake(): boolean {
    return this.#life !== undefined && !this.#life.isDead
  }

  /** Whether it will be woken without a call. */
  get expectsAlarm(): boolean {
    return this.#isRinging || this.#alarm?.run !== undefined
  }

  /** Whether it is working now. */
  get isBusy(): boolean {
    return (this.#life?.pending ?? 0) > 0
  }

  async call(method: string, given: unknown[]): Promise<unknown> {
    this.#options.onCall?.()
    if (this.#isSilent()) {
      await this.#world.loop.pause(silentAnswerMs)
      throw new Error('Durable Object is overloaded.')
    }
    const { life, living } = this.#wake()
    const cameAt = this.#world.now
    return this.#world.run(life, `${this.#options.name}(${this.#name}).${method}`, async () => {
      const found = living[method]
      if (!found) throw new TypeError(`${this.#options.name} has no method ${method}`)
      const answer = await found.apply(living, given)
      if (this.#options.name !== sendsBehind) this.#world.answers(here())
      this.#options.onAnswer?.({ name: this.#name, method, given, answer, cameAt })
      return answer instanceof ReadableStream ? tiedTo(life, answer) : answer
    })
  }

  /** Whether it is one of the objects of jobs that do not answer for hours, for a reason that nobody knows. */
  #isSilent(): boolean {
    const { faults, now } = this.#world
    if (this.#options.name !== 'JobRunner') return false
    if (now < this.#silentUntil) return true
    if (!faults.strikes('object silent', `${this.#name} ${Math.floor(now / silentMs)}`))
      return false
    this.#silentUntil = now + silentMs
    this.die()
    return true
  }

  /** From now on this object answers nobody for this long. */
  silence(ms: number): void {
    this.#world.faults.noteHarm('object silent')
    this.#silentUntil = this.#world.now + ms
    this.die()
  }

  /** Whether nothing is stored, set or going on: a later object of this name would be the same. */
  get isBlank(): boolean {
    return (
      this.storage.isEmpty && this.storage.alarmAt === undefined && (this.#life?.pending ?? 0) === 0
    )
  }

  /** Loses everything that is only in memory, as when the platform moves the object. */
  die(): void {
    this.#life?.end()
  }

  /** Sets the alarm again after the clock was changed: alarms ring by the clock, but repeats of a failed one after a delay. */
  lookAtClock(): void {
    const { alarmAt } = this.storage
    if (!this.#isRinging && alarmAt !== undefined) this.#setAlarm(alarmAt)
  }

  #wake(): { life: Life; living: Living } {
    const { now } = this.#world
    const isIdle = this.#life?.pending === 0 && now - this.#usedAt > this.#idleMs()
    if (isIdle) this.#life?.end()
    this.#usedAt = now
    if (this.#life && !this.#life.isDead && this.#living) {
      return { life: this.#life, living: this.#living }
    }
    const life = new Life(
      `object ${this.#options.name}(${this.#name})`,
      this.#options.isolateOf(this.#name),
    )
    const living = this.#construct(life)
    this.#life = life
    this.#living = living
    return { life, living }
  }

  #idleMs(): number {
    const drawn = this.#world.draw(`idle ${this.#name} ${Math.floor(this.#usedAt)}`)
    return idleMs.least + drawn * (idleMs.most - idleMs.least)
  }

  #construct(life: Life): Living {
    const Class = this.#options.make()
    const ctx = {
      id: { name: this.#name, toString: () => this.#name },
      storage: this.storage,
      ...(this.#container === undefined ? {} : { container: this.#container }),
      waitUntil: (work: Promise<unknown>) => void goOnBehind(here(), work),
    }
    return this.#world.runNow(life, `${this.#options.name}(${this.#name}) wakes`, () => {
      return new Class(ctx, this.#options.env()) as Living
    })
  }

  #setAlarm(at: number | undefined): void {
    if (this.#alarm) this.#alarm.run = undefined
    this.#alarm = undefined
    if (at === undefined || this.#isRinging) return
    const key = `alarm of ${this.#name} at ${at}`
    const { faults, loop } = this.#world
    const isLate = faults.strikes('alarm late', key)
    const lateMs = isLate ? faults.degree('alarm late', key) ** 3 * 900_000 : 0
    this.#alarm = loop.in(at - loop.wall + 1 + lateMs, () => void this.#ring(1, key))
  }

  async #ring(tries: number, key: string): Promise<void> {
    this.#alarm = undefined
    this.#isRinging = true
    this.storage.alarmAt = undefined
    let failed = false
    try {
      await this.call('alarm', [])
    } catch {
      failed = true
    }
    const { faults, loop } = this.#world
    const again = failed ? tries <= alarmTries : tries === 1 && faults.strikes('alarm twice', key)
    const next = this.storage.alarmAt
    this.#isRinging = false
    // An alarm that the handler has set takes the place of another try.
    this.isGivenUp = failed && !again && next === undefined
    if (next !== undefined) this.#setAlarm(next)
    else if (again) {
      const pauseMs = failed ? 2_000 * 2 ** (tries - 1) : 50
      this.#alarm = loop.in(pauseMs, () => void this.#ring(tries + 1, key))
    }
  }
}

/** Tells the platform of work that goes on after its object has answered. */
async function goOnBehind(own: Work, work: Promise<unknown>): Promise<void> {
  own.behind++
  await work.catch(() => undefined)
  own.behind--
}

/** A stream that breaks off when the object that writes it dies. The object stays in memory until it has been read to its end. */
function tiedTo(life: Life, stream: ReadableStream<unknown>): ReadableStream<unknown> {
  const reader = stream.getReader()
  life.pending++
  return new ReadableStream({
    start(controller) {
      life.whenDead(() => controller.error(new Error('Network connection lost.')))
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      life.pending--
      controller.close()
    },
    cancel: async (reason) => {
      life.pending--
      await reader.cancel(reason)
    },
  })
}
