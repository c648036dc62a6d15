import { draw, nameOf } from './chance.ts'
import type { History } from './history.ts'
import type { Loop } from './loop.ts'

/** Something that can go wrong; the weather says how often it does. */
export type Mishap =
  | 'isolate dies'
  | 'object moves'
  | 'isolate of objects dies'
  | 'statement fails'
  | 'statement unanswered'
  | 'statement slow'
  | 'statement answered late'
  | 'sender dies'
  | 'database full'
  | 'bucket fails'
  | 'bucket unanswered'
  | 'bucket slow'
  | 'bucket answered late'
  | 'upload lost'
  | 'upload torn'
  | 'call fails'
  | 'call slow'
  | 'call answered late'
  | 'asker dies'
  | 'object silent'
  | 'hand-over fails'
  | 'courier not called'
  | 'message late'
  | 'message twice'
  | 'message dead'
  | 'queue refuses'
  | 'queue answers late'
  | 'alarm late'
  | 'alarm twice'
  | 'request lost'
  | 'answer lost'
  | 'request slow'
  | 'answer slow'
  | 'request twice'
  | 'tick lost'
  | 'tick twice'
  | 'clock steps'
  | 'media worker dies'
  | 'media worker freezes'
  | 'media worker shut down'
  | 'media worker of another version'
  | 'container refused'
  | 'container slow'
  | 'rollout'
  | 'rollout slow'
  | 'work fails'
  | 'file fails'
  | 'file kills'
  | 'receiver hangs'
  | 'receiver fails'
  | 'receiver redirects'
  | 'storage fails'
  | 'storage hangs'
  | 'storage forgets'
  | 'stream breaks'
  | 'archive fails'

export type Fault = { id: string; mishap: Mishap; key: string; at: number }

const harmless = new Set<Mishap>([
  'work fails',
  'file fails',
  'receiver hangs',
  'receiver fails',
  'receiver redirects',
  'storage fails',
  'storage hangs',
  'storage forgets',
  'stream breaks',
  'archive fails',
])

/** Whether media workers suffer from it, or their connection to the service. */
export function isHarmful(mishap: Mishap): boolean {
  return !harmless.has(mishap)
}

/** Whether it ends attempts. A media worker whose bucket fails goes on. */
export function endsAttempts(mishap: Mishap): boolean {
  return isHarmful(mishap) && mishap !== 'bucket fails'
}

/** A period in which some things go wrong. `places`: the share of the places in the code at which they do, chosen by the seed. */
export type Weather = {
  from: number
  until: number
  rates: Partial<Record<Mishap, number>>
  places?: number
}

const mostRate = 0.9

/** The place in the code that a key stands for, without the name of the work that passes it. */
function placeOf(key: string): string {
  return key.replace(/ for .*? #| #/, ' #').replace(/[\w-]*[\d_][\w-]*/g, '')
}

/**
 * Decides what goes wrong. Each place at which something may go wrong has a key; seed, key and weather decide, so that a fault
 * can be left out without moving the others.
 */
export class Faults {
  readonly struck: Fault[] = []
  /** Called with each fault that strikes. */
  onStrike: ((fault: Fault) => void) | undefined
  #lastHarmAt = 0
  /** The present weather, and when it changes. */
  #current: readonly Weather[] = []
  #changesAt = 0
  readonly #lastOf = new Map<Mishap, number>()
  readonly #seed: number
  readonly #loop: Loop
  readonly #history: History
  readonly #weather: readonly Weather[]
  readonly #only: ReadonlySet<string> | undefined

  /** `only`: the faults that may strike, for finding a smaller history that fails. */
  constructor(
    world: { seed: number; loop: Loop; history: History },
    weather: readonly Weather[],
    only: ReadonlySet<string> | undefined,
  ) {
    this.#seed = world.seed
    this.#loop = world.loop
    this.#history = world.history
    this.#weather = weather
    this.#only = only
  }

  /** When something last went wrong, apart from the way to the archive, which may fail while everything else is calm. */
  get lastAt(): number {
    return this.struck.findLast(({ mishap }) => mishap !== 'archive fails')?.at ?? 0
  }

  /** When something last went wrong from which a media worker, or its connection to the service, suffers. */
  get lastHarmAt(): number {
    return this.#lastHarmAt
  }

  /** Notes a fault that was caused on purpose. */
  noteHarm(mishap?: Mishap): void {
    this.#lastHarmAt = this.#loop.now
    if (mishap) this.#lastOf.set(mishap, this.#loop.now)
  }

  /** When one of these mishaps last happened. */
  lastOf(...mishaps: readonly Mishap[]): number {
    return Math.max(0, ...mishaps.map((mishap) => this.#lastOf.get(mishap) ?? 0))
  }

  /** Whether it goes wrong here. `weight`: how much more often than elsewhere. */
  strikes(mishap: Mishap, key: string, weight = 1): boolean {
    const rate = Math.min(mostRate, weight * this.#rateOf(mishap, key))
    if (rate === 0) return false
    const place = `${mishap} @ ${key}`
    if (draw(this.#seed, place) >= rate) return false
    const id = nameOf(this.#seed, place)
    if (this.#only && !this.#only.has(id)) return false
    this.#lastOf.set(mishap, this.#loop.now)
    if (isHarmful(mishap)) this.#lastHarmAt = this.#loop.now
    const fault = { id, mishap, key, at: this.#loop.now }
    this.struck.push(fault)
    this.#history.note('FAULT', `${mishap} (${key}) [${id}]`)
    this.onStrike?.(fault)
    return true
  }

  /** How bad the fault is, from 0 up to 1. */
  degree(mishap: Mishap, key: string): number {
    return draw(this.#seed, `degree of ${mishap} @ ${key}`)
  }

  #rateOf(mishap: Mishap, key: string): number {
    if (this.#loop.now >= this.#changesAt) this.#lookUp()
    let rate = 0
    for (const { from, rates, places } of this.#current) {
      if (rates[mishap] === undefined) continue
      const isThere =
        places === undefined || draw(this.#seed, `${mishap} ${placeOf(key)} ${from}`) < places
      if (isThere) rate = Math.max(rate, rates[mishap])
    }
    return rate
  }

  /** Looks up the present weather; kept, because it is read far more often than it changes. */
  #lookUp(): void {
    const { now } = this.#loop
    this.#current = this.#weather.filter(({ from, until }) => from <= now && now < until)
    const changes = this.#weather.flatMap(({ from, until }) => [from, until])
    this.#changesAt = Math.min(Infinity, ...changes.filter((at) => at > now))
  }
}
