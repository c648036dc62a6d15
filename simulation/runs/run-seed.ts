import { Chance } from '../engine/chance.ts'
import type { Fault, Weather } from '../engine/faults.ts'
import type { World } from '../engine/world.ts'
import type { Account } from '../actors/account.ts'
import { sendEndlessFilms } from '../actors/endless-films.ts'
import { sendSilentFilm } from '../actors/media/silent-film.ts'
import { sendUnevenFilm } from '../actors/uneven-film.ts'
import type { Plan } from '../actors/order-wish.ts'
import { judgeAccounts, judgeStrangers } from '../promises/account-promises.ts'
import { judgeDeliveries, judgeFresh, judgeJobs, judgeRest } from '../promises/end-promises.ts'
import { judgeExpired } from '../promises/kept-promises.ts'
import { judgeKeys } from '../promises/key-promises.ts'
import { judgeLateDeletion, judgeLateRedelivery } from '../promises/late-redelivery.ts'
import { judgeMonth } from '../promises/month-promises.ts'
import { judgeAnswers } from '../promises/plain/plain-answers.ts'
import { judgeMails } from '../promises/mail-promises.ts'
import { leaveStrays } from '../promises/stray-promises.ts'
import { changeBudgets } from './change-budgets.ts'
import { changePlans } from './change-plans.ts'
import { fillDisk } from './fill-disk.ts'
import { others, owner } from './name-owners.ts'
import { sendProbe } from './send-probe.ts'
import { Simulation } from './simulation.ts'
import { limitsOf } from './service-settings.ts'
import type { Started } from './start-program.ts'
import { withoutStacks } from './without-stacks.ts'
import {
  drawClockSteps,
  drawLateStatements,
  drawStubborn,
  drawWeather,
  drizzle,
  drizzleOnArchive,
  drizzleOnProbe,
} from './weather.ts'

export type Asked = {
  seed: number
  days: number
  /** Only these faults strike, and only these orders are placed. */
  only?: { faults: ReadonlySet<string>; orders: ReadonlySet<number> | undefined } | undefined
  keepsHistory?: boolean
  /** Calls and answers come late too, as they do in every eighth world anyway. */
  comesLate?: boolean | undefined
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
const batchesADay = 3
/** Their names are not those of other orders. */
const firstCalmOrder = 20_000
/** After this time the links in an event have expired. */
const linksOverDays = 8
/** In a month in which nothing comes: thrice what its sweeps ask. */
const mostAskedInQuiet = 6_000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The year is of no importance; the hash of a history is. In every second world a month ends in the bad days. */
const startsAt = (seed: number): number => Date.UTC(2026, 10, seed % 2 === 0 ? 23 : 30)
const beginsAt = (seed: number): number => startsAt(seed) + 10 * 60_000
/** For so long nothing goes wrong until all has ended that was ordered. */
const calmHours = 3
const calmAt = (seed: number, days: number): number =>
  beginsAt(seed) + days * dayMs + (2 + calmHours) * hourMs
const plans: readonly [Plan, ...Plan[]] = [
  'waits',
  'follows',
  'trusts',
  'cancels',
  'deletes',
  'repeats',
  'renames',
  'hurries',
  'redelivers',
]

/** One history. */
export async function runSeed(started: Started, asked: Asked): Promise<Outcome> {
  return withoutStacks(async () => {
    const { seed, days, only, keepsHistory } = asked
    const { isSweepless, storms } = badDays(asked)
    const begins = beginsAt(seed)
    const simulation = new Simulation(started, {
      ...{
        seed,
        startsAt: startsAt(seed),
        isSweepless,
        keepsHistory: !!keepsHistory,
        only: only?.faults,
      },
      comesLate: isLate(asked),
      weather: [
        drizzle(begins, days),
        drizzleOnProbe(calmAt(seed, days)),
        // Where the sweep comes only for the last hours, nobody tries again.
        ...(isSweepless ? [] : [drizzleOnArchive(begins)]),
        ...storms,
      ],
    })
    const { world } = simulation
    const heard = (error: unknown): void =>
      world.break(`something failed, and nobody has heard it: ${String(error)}`)
    process.on('unhandledRejection', heard)
    try {
      return await runDays(simulation, asked, storms)
    } finally {
      process.off('unhandledRejection', heard)
      simulation.close()
    }
  })
}

function isLate({ seed, comesLate = seed % 8 === 6 }: Asked): boolean {
  return comesLate
}

function badDays(asked: Asked) {
  const { seed, days } = asked
  // In every fourth world nobody but messages, alarms and those that ask again mends anything.
  const isSweepless = seed % 4 === 3
  const span = { from: beginsAt(seed), days, isSweepless, comesLate: isLate(asked) }
  const further = [drawStubborn, drawLateStatements, drawClockSteps].flatMap((drawn) =>
    drawn(seed, span),
  )
  return { isSweepless, storms: [...drawWeather(seed, span), ...further] }
}

/** Days with storms, and then calm days in which the service has to mend what is broken. */
async function runDays(
  simulation: Simulation,
  { seed, days, only }: Asked,
  storms: readonly Weather[],
): Promise<Outcome> {
  const { world } = simulation
  const isBroken = (): boolean => world.broken.length > 0
  await simulation.open()
  placeOrders(simulation, { seed, days, storms, only: only?.orders })
  changePlans(simulation, storms)
  changeBudgets(simulation, storms)
  fillDisk(simulation, storms)
  await world.loop.runUntil(calmAt(seed, days) - calmHours * hourMs, isBroken)
  simulation.calm()
  const passHours = async (hours: number): Promise<void> =>
    isBroken() ? undefined : world.loop.runUntil(world.now + hours * hourMs, isBroken)
  await passHours(calmHours)
  if (!isBroken()) judgeJobs(simulation)
  if (!isBroken()) judgeMails(simulation, { owner, others })
  if (!isBroken()) simulation.batches.judge(simulation.batchOrders)
  if (!isBroken()) leaveStrays(simulation)
  const calmSince = world.loop.wall
  const probe = isBroken() || !hasProbe(world) ? undefined : sendProbe(simulation)
  if (!isBroken()) placeCalmOrders(simulation)
  await passHours(4)
  if (!isBroken()) probe?.()
  if (!isBroken()) judgeFresh(simulation, calmSince)
  if (!isBroken()) void judgeStrangers(simulation).then(async () => answersOf(simulation))
  await passWeeks(simulation, passHours)
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

/** Whatever had to be mended, sent or removed has been by then. */
async function passWeeks(
  simulation: Simulation,
  passHours: (hours: number) => Promise<void>,
): Promise<void> {
  const { world } = simulation
  const isBroken = (): boolean => world.broken.length > 0
  for (let hours = 0; hours < 56; hours += 4) {
    await passHours(4)
    if (!isBroken()) judgeExpired(simulation)
  }
  if (!isBroken()) judgeDeliveries(simulation)
  simulation.sweepAgain()
  await passHours(4)
  if (!isBroken()) judgeRest(simulation)
  if (!isBroken()) {
    for (const order of [...simulation.orders, ...simulation.batchOrders]) void order.readAgain()
  }
  await passHours(0.5)
  if (!isBroken()) {
    const judged = judgeAccounts(simulation).then(async () => judgeKeys(simulation))
    judged.catch((error: unknown) => world.break(String(error)))
  }
  await passHours(1)
  const asked = simulation.asked
  await simulation.passDays(linksOverDays, isBroken)
  if (!isBroken()) {
    judgeLateRedelivery(simulation)
      .then(async () => judgeLateDeletion(simulation))
      .catch((error: unknown) => world.break(String(error)))
  }
  // One step of the sweep fails for weeks, and those after it are made all the same.
  simulation.database.refuses = 'budget_told'
  await simulation.passDays(34 - linksOverDays, isBroken)
  if (simulation.asked - asked > mostAskedInQuiet) {
    world.break('something goes on and on, and nothing is left to do')
  }
  if (!isBroken()) judgeMonth(simulation)
}

/** It takes a quarter of the time of a world, and what it finds is seldom a matter of luck. */
function hasProbe(world: World): boolean {
  return world.draw('sends a probe') < 0.25
}

/** The same holds for this. */
function asksPlainly(world: World): boolean {
  return world.draw('asks plainly') < 0.35
}

async function answersOf(simulation: Simulation): Promise<void> {
  if (!asksPlainly(simulation.world)) return
  await judgeAnswers(simulation).catch((error: unknown) => simulation.world.break(String(error)))
}

/** By then the probe is over. */
const calmAfterMs = 90 * 60_000
/** And by then all that was ordered in calm hours is made. */
const endlessAfterMs = 150 * 60_000
/** Then nothing else is made. */
const unevenAfterMs = 120 * 60_000
/** When nobody looks any more whether all goes well. */
const silentAfterMs = 245 * 60_000
/** And which account has each. The records of the last leave the database soon. */
const calmPlans: readonly (readonly [Plan, account: number])[] = [
  ['deletes', 0],
  ['deletes', 1],
  ['redelivers', 2],
  ['cancels', 3],
  ['follows', 0],
  ['erases', 2],
  ['erases', 2],
  ['erases', 2],
  ['analyses', 3],
]

/** While nothing fails, everything happens at once: what only the sweep mends would be seen now. */
function placeCalmOrders(simulation: Simulation): void {
  const { accounts, world } = simulation
  const at = world.now + calmAfterMs
  for (const [i, [plan, index]] of calmPlans.entries()) {
    const account = accounts[index]
    if (account) simulation.order(account, { number: firstCalmOrder + i, at: at + i * 1_000, plan })
  }
  const [first, capped, batching] = accounts
  if (batching) simulation.orderBatch(batching, { number: firstCalmOrder + calmPlans.length, at })
  if (!capped || !batching) return
  world.loop.in(unevenAfterMs, () => void sendUnevenFilm(simulation, batching))
  const parts = { world, exchange: simulation.exchange, account: capped }
  world.loop.in(endlessAfterMs, () => void sendEndlessFilms(parts, limitsOf(world)))
  if (!first || simulation.isSweepless || asksPlainly(world)) return
  const { database, deployment } = simulation
  const sending = { ...parts, database, deployment, account: first }
  world.loop.in(silentAfterMs, () => void sendSilentFilm(sending, limitsOf(world)))
}

type Placing = {
  seed: number
  days: number
  storms: readonly Weather[]
  only: ReadonlySet<number> | undefined
}

function ordersIn(days: number): number {
  return Math.ceil(ordersADay * days) + Math.ceil(batchesADay * days)
}

/** Most orders come in bad hours, because nothing happens in good ones. */
function placeOrders(simulation: Simulation, { seed, days, storms, only }: Placing): void {
  const chance = new Chance(seed, 'orders')
  const [first, ...more] = simulation.accounts
  if (!first) throw new Error('nobody has an account')
  let last: { account: Account; at: number } | undefined
  for (let number = 1; number <= ordersIn(days); number++) {
    const storm = storms[chance.whole(0, storms.length - 1)]
    const isBad = storm !== undefined && chance.next() < 0.8
    const at = isBad
      ? storm.from - 5 * 60_000 + chance.next() * (storm.until - storm.from + 10 * 60_000)
      : beginsAt(seed) + chance.next() * days * dayMs
    const own = { account: chance.pick([first, ...more]), at: Math.max(at, simulation.world.now) }
    // Many send several videos at once.
    last = last && chance.next() < 0.35 ? last : own
    const order = { number, at: last.at, plan: chance.pick(plans) }
    if (only && !only.has(number)) continue
    if (number > Math.ceil(ordersADay * days)) simulation.orderBatch(own.account, order)
    else simulation.order(last.account, order)
  }
}
