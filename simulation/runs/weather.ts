import type { Mishap, Weather } from '../engine/faults.ts'
import { Chance } from '../engine/chance.ts'

/** The mishaps of storms. */
type Stormy = Exclude<Mishap, 'archive fails'>

/** With `comesLate`, how often in a bad hour calls, answers and the end of the old version come late, or a caller dies. */
const lateRates = {
  'statement answered late': 0.04,
  'bucket answered late': 0.08,
  'call slow': 0.1,
  'call answered late': 0.05,
  'queue answers late': 0.1,
  'request slow': 0.1,
  'answer slow': 0.08,
  'asker dies': 0.2,
  'rollout slow': 0.9,
} as const satisfies Weather['rates']

/** How often each mishap happens in a bad hour, where it can. */
const badRates: Record<Stormy, number> = {
  'isolate dies': 0.004,
  'object moves': 0.01,
  'isolate of objects dies': 0.15,
  'statement fails': 0.03,
  'statement unanswered': 0.03,
  'statement slow': 0.03,
  'sender dies': 0.03,
  'database full': 0.03,
  'bucket fails': 0.08,
  'bucket unanswered': 0.08,
  'bucket slow': 0.08,
  'upload lost': 0.15,
  'upload torn': 0.1,
  'call fails': 0.03,
  'object silent': 0.06,
  'hand-over fails': 0.15,
  'courier not called': 0.4,
  'message late': 0.3,
  'message twice': 0.3,
  'message dead': 0.1,
  'queue refuses': 0.1,
  'alarm late': 0.1,
  'alarm twice': 0.15,
  'request lost': 0.08,
  'answer lost': 0.08,
  'request twice': 0.15,
  'tick lost': 0.3,
  'tick twice': 0.2,
  'clock steps': 0.05,
  'media worker dies': 0.2,
  'media worker freezes': 0.2,
  'media worker shut down': 0.12,
  'media worker of another version': 0.04,
  'container refused': 0.3,
  'container slow': 0.3,
  rollout: 0.04,
  'work fails': 0.25,
  'file fails': 0.3,
  'file kills': 0.15,
  'receiver hangs': 0.2,
  'receiver fails': 0.4,
  'receiver redirects': 0.2,
  'storage fails': 0.4,
  'storage hangs': 0.1,
  'storage forgets': 0.2,
  'stream breaks': 0.3,
  ...lateRates,
}

/** Object.keys() loses the type of the keys; the table has no others. */
const mishaps = Object.keys(badRates) as Stormy[]

type Span = { from: number; days: number; isSweepless: boolean; comesLate: boolean }

/** The mishaps that the service mends without its sweep: by messages, alarms, and asking again. */
const mendedWithoutSweep = new Set<Mishap>([
  ...(['message late', 'message twice', 'message dead', 'alarm late', 'alarm twice'] as const),
  ...(['hand-over fails', 'statement slow', 'bucket slow'] as const),
  ...(['request lost', 'answer lost', 'request twice'] as const),
  ...(['media worker dies', 'media worker freezes', 'media worker shut down'] as const),
  ...(['media worker of another version', 'container refused', 'container slow'] as const),
  ...(['work fails', 'file fails', 'file kills'] as const),
  ...(['receiver hangs', 'receiver fails', 'receiver redirects'] as const),
  ...(['storage fails', 'storage hangs', 'storage forgets', 'upload lost'] as const),
  ...(['statement answered late', 'bucket answered late', 'queue answers late'] as const),
  ...(['call slow', 'call answered late', 'request slow', 'answer slow'] as const),
])

const hourMs = 3_600_000

/**
 * Draws a few storms a day. In each only some things go wrong, because mishaps that always come together hide those that come
 * alone; in some a single one comes often.
 */
export function drawWeather(seed: number, { from, days, isSweepless, comesLate }: Span): Weather[] {
  const possible = mishaps.filter(
    (mishap) =>
      (!isSweepless || mendedWithoutSweep.has(mishap)) && (comesLate || !(mishap in lateRates)),
  )
  const chance = new Chance(seed, 'weather')
  const storms: Weather[] = []
  for (let storm = 0; storm < Math.ceil(4 * days); storm++) {
    const begins = from + chance.next() * days * 24 * hourMs
    const isPure = chance.next() < 0.25
    const strength = isPure ? 2.5 : 0.3 + chance.next()
    const pure = chance.pick([possible[0] ?? 'rollout', ...possible.slice(1)])
    const taking = possible.filter((mishap) => (isPure ? mishap === pure : chance.next() < 0.35))
    const rates = taking.map(
      (mishap) => [mishap, Math.min(0.9, badRates[mishap] * strength)] as const,
    )
    const until = begins + hourMs * (0.1 + 1.2 * chance.next() ** 2)
    storms.push({ from: begins, until, rates: Object.fromEntries(rates) })
  }
  return storms.sort((a, b) => a.from - b.from)
}

/** Calls that may fail again and again at one place of the code. */
const stubborn = [
  'statement fails',
  'statement unanswered',
  'sender dies',
  'call fails',
  'bucket fails',
  'isolate dies',
  'object moves',
] as const
const stubbornOrLate = [...stubborn, 'call slow', 'call answered late', 'bucket slow'] as const

/**
 * Something that seldom fails twice in one step seldom shows whether the second remedy works. So for an hour or two a day the
 * same few steps fail nearly always, whatever calls them.
 */
export function drawStubborn(
  seed: number,
  { from, days, isSweepless, comesLate }: Span,
): Weather[] {
  if (isSweepless) return []
  const chance = new Chance(seed, 'stubborn')
  return Array.from({ length: Math.ceil(2 * days) }, () => {
    const begins = from + chance.next() * days * 24 * hourMs
    const mishap = chance.pick(comesLate ? stubbornOrLate : stubborn)
    const until = begins + hourMs * (0.3 + chance.next())
    const places = 0.05 + 0.2 * chance.next()
    return { from: begins, until, rates: { [mishap]: 0.7 }, places }
  })
}

/**
 * In every third world with a sweep, statements arrive for some hours long after their senders have died, while other attempts
 * follow: media workers come to harm, and containers do not start. What a statement asks of the rows is then all that holds it back.
 */
export function drawLateStatements(seed: number, { from, days, isSweepless }: Span): Weather[] {
  if (isSweepless || seed % 3 !== 1) return []
  const chance = new Chance(seed, 'late statements')
  return Array.from({ length: Math.ceil(days) }, () => {
    const begins = from + chance.next() * days * 20 * hourMs
    const rates = {
      'sender dies': 0.04 + 0.1 * chance.next(),
      'media worker dies': 0.15,
      'media worker shut down': 0.15,
      'container refused': 0.15,
      'work fails': 0.3,
    }
    return { from: begins, until: begins + 4 * hourMs, rates }
  })
}

/** In every fifth world the clocks step several times within half an hour. */
export function drawClockSteps(seed: number, { from, days, isSweepless }: Span): Weather[] {
  if (isSweepless || seed % 5 !== 2) return []
  const begins = from + new Chance(seed, 'clock steps').next() * days * 20 * hourMs
  return [{ from: begins, until: begins + hourMs / 2, rates: { 'clock steps': 0.15 } }]
}

/** Mishaps of every day: files that cannot be processed, and receivers that are down or have moved. */
const always: Weather['rates'] = {
  'work fails': 0.15,
  'file fails': 0.06,
  'receiver fails': 0.05,
  'receiver redirects': 0.05,
  'storage fails': 0.05,
  'storage hangs': 0.02,
}

export function drizzle(from: number, days: number): Weather {
  return { from, until: from + days * 24 * hourMs, rates: always }
}

/** Some work fails while one account after another fills all slots, so that jobs come back. */
export function drizzleOnProbe(from: number): Weather {
  return { from, until: from + hourMs, rates: { 'work fails': 0.25 } }
}

/** Some writes to the archive fail at all times, because records go there when the storms are over. */
export function drizzleOnArchive(from: number): Weather {
  return { from, until: from + 60 * 24 * hourMs, rates: { 'archive fails': 0.05 } }
}
