import { Chance } from '../engine/chance.ts'
import type { Fault } from '../engine/faults.ts'
import type { Account, Plan } from '../actors/customer.ts'
import { judgeJobs, judgeRest } from '../promises/end-promises.ts'
import { sendProbe } from './send-probe.ts'
import { Simulation } from './simulation.ts'
import type { Started } from './start-program.ts'
import { drawWeather, drizzle } from './weather.ts'

export type Asked = {
  seed: number
  days: number
  /** Only these faults strike, and only these orders are placed. */
  only?: { faults: ReadonlySet<string>; orders: ReadonlySet<number> | undefined } | undefined
  keepsHistory?: boolean
}

export type Outcome = {
  seed: number
  broken: readonly string[]
  faults: readonly Fault[]
  hash: string
  events: number
  lines: readonly string[]
  videos: number
  /** How many orders may be left out. */
  orders: number
}

const ordersADay = 40
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The year is of no importance; the hash of a history is. */
const startsAt = Date.UTC(2026, 10, 23)
const plans: readonly [Plan, ...Plan[]] = [
  'waits',
  'waits',
  'trusts',
  'cancels',
  'deletes',
  'repeats',
  'renames',
  'hurries',
]

/** One history: days with storms, and then calm days in which the service has to mend what is broken. */
export async function runSeed(
  started: Started,
  { seed, days, only, keepsHistory }: Asked,
): Promise<Outcome> {
  const begins = startsAt + 10 * 60_000
  const weather = [drizzle(begins, days), ...drawWeather(seed, begins, days)]
  const simulation = new Simulation(started, {
    ...{ seed, startsAt, weather, keepsHistory: !!keepsHistory },
    only: only?.faults,
  })
  const { world } = simulation
  const isBroken = (): boolean => world.broken.length > 0
  await simulation.open()
  placeOrders(simulation, { seed, begins, days, only: only?.orders })
  await world.loop.runUntil(begins + days * dayMs + 2 * hourMs, isBroken)
  simulation.calm()
  const passHours = async (hours: number): Promise<void> =>
    isBroken() ? undefined : world.loop.runUntil(world.now + hours * hourMs, isBroken)
  await passHours(3)
  if (!isBroken()) judgeJobs(simulation)
  const probe = isBroken() ? undefined : sendProbe(simulation)
  await passHours(4)
  if (!isBroken()) probe?.()
  await passHours(56)
  if (!isBroken()) judgeRest(simulation)
  if (!isBroken()) for (const order of simulation.orders) void order.readAgain()
  await passHours(0.5)
  const { history, faults, broken } = world
  return {
    seed,
    broken,
    faults: faults.struck,
    hash: history.hash(),
    events: history.count,
    lines: history.lines,
    videos: simulation.orders.length,
    orders: ordersIn(days),
  }
}

type Placing = {
  seed: number
  begins: number
  days: number
  only: ReadonlySet<number> | undefined
}

function ordersIn(days: number): number {
  return Math.ceil(ordersADay * days)
}

/** Most orders come in bad hours, because nothing happens in good ones. */
function placeOrders(simulation: Simulation, { seed, begins, days, only }: Placing): void {
  const chance = new Chance(seed, 'orders')
  const storms = drawWeather(seed, begins, days)
  const [first, ...more] = simulation.accounts
  if (!first) throw new Error('nobody has an account')
  let last: { account: Account; at: number } | undefined
  for (let number = 1; number <= ordersIn(days); number++) {
    const storm = storms[chance.whole(0, storms.length - 1)]
    const isBad = storm !== undefined && chance.next() < 0.8
    const at = isBad
      ? storm.from - 5 * 60_000 + chance.next() * (storm.until - storm.from + 10 * 60_000)
      : begins + chance.next() * days * dayMs
    const own = { account: chance.pick([first, ...more]), at: Math.max(at, simulation.world.now) }
    // Many send several videos at once.
    last = last && chance.next() < 0.35 ? last : own
    const order = { number, at: last.at, plan: chance.pick(plans) }
    if (!only || only.has(number)) simulation.order(last.account, order)
  }
}
