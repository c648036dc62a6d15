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

/** What a namespace needs to know about its class. */
type ClassOptions = {
  name: string
  /** Told of every call, alarms among them. */
  onCall?: () => void
  make: () => ObjectClass
  env: () => unknown
  /** The isolate in which an object of this name lives now. */
  isolateOf: (name: string) => Life
  container?: (name: string) => unknown
  /** Told of every call that an object has answered. */
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
/** A reader that shows how far a job has come, or where it stands, waits for that only for a moment. */
const waysOfReads: Ways = { ...ways, changes: false }
const reads = new Set(['JobRunner progress', 'JobRunner parts', 'Dispatcher placesOf'])
const waysOfMessages: Ways = { ...ways, fails: 'hand-over fails', unanswered: 'hand-over fails' }
/** What the consumers of queues ask of objects. */
const handOvers = new Set(['JobRunner dispatch', 'WebhookEndpoint offer'])
/** The one call with which a courier begins: if it is lost, the sweep makes it. */
const waysOfCouriers: Ways = {
  ...ways,
  fails: 'courier not called',
  unanswered: 'courier not called',
}

/** It sends while it answers, and an alarm that was set before finds what is left. */
const sendsBehind = 'WebhookEndpoint'

/** An object that nobody has asked for this long, and that waits for nothing, leaves the memory. */
const idleMs = { least: 10_000, most: 140_000 }
const alarmTries = 6
const silentMs = 2 * 3_600_000
const silentAnswerMs = 1_000

/** All Durable Objects of one class. */
export class Namespace {
  readonly cells = new Map<string, Cell>()
  /** What was charged: calls from outside of the object, and alarms. */
  calls = 0
  readonly #world: World
  readonly #options: ClassOptions
  #met: { method: string; first: (name: string) => Promise<unknown> } | undefined

  constructor(world: World, options: ClassOptions) {
    this.#world = world
    this.#options = { ...options, onCall: () => void this.calls++ }
  }

  /** What the service is given as `env.JOB_RUNNER`. */
  readonly binding = {
    getByName: (name: string) => this.#stub(name),
  }

  /** Before the next call of this method arrives, this happens. If it fails, the call does. */
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

  /** Lets go of objects that have forgotten everything. */
  forget(): void {
    for (const [name, cell] of this.cells) {
      if (!cell.isBlank) continue
      cell.die()
      this.cells.delete(name)
    }
  }

  /** The world is over. */
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
    // What a dead letter asks for in vain is left to the sweep.
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
  /** Its alarm has failed so often that the platform has given it up. */
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

  /** Whether it will be woken by itself. */
  get expectsAlarm(): boolean {
    return this.#isRinging || this.#alarm?.run !== undefined
  }

  /** Whether it works at something now. */
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

  /** Some objects of jobs answer nobody for hours, and nobody knows why. */
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

  /** Nothing is kept, nothing is set, and nothing goes on: an object of this name that is made later is the same. */
  get isBlank(): boolean {
    return (
      this.storage.isEmpty && this.storage.alarmAt === undefined && (this.#life?.pending ?? 0) === 0
    )
  }

  /** The platform moves the object: what it had only in memory is gone. */
  die(): void {
    this.#life?.end()
  }

  /** The clock has been changed, and the alarm rings by the clock. Another try of one that failed comes after a time instead. */
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

/** The platform is told of work that goes on when its object has answered. */
async function goOnBehind(own: Work, work: Promise<unknown>): Promise<void> {
  own.behind++
  await work.catch(() => undefined)
  own.behind--
}

/** A stream that breaks off when the object dies that writes it. */
function tiedTo(life: Life, stream: ReadableStream<unknown>): ReadableStream<unknown> {
  const reader = stream.getReader()
  return new ReadableStream({
    start(controller) {
      life.whenDead(() => controller.error(new Error('Network connection lost.')))
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async (reason) => reader.cancel(reason),
  })
}
