import type { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'

const kinds = ['measuring', 'rendering', 'transcribing', 'analysing'] as const
const counts = ['succeeded', 'failed', 'canceled', 'minutesIn', 'minutesOut', 'processorSeconds']
/** As documented, because the simulated operator sets no prices. */
const prices = { secondOfProcessor: 0.000_02, gigabyte: 0.015 }
const usualDays = 30
const mostDays = 366
const dayMs = 86_400_000

type Numbers = Record<string, number>
type Row = Numbers & { day: string }
type Day = Numbers & { date: string; work: Numbers; prices: Numbers }
type Told = { from: string; to: string; days: Day[]; total: Day }

/** All days of a range are told, each with what its row says, and what all of them together come to. */
export async function judgeDaysOfUse(by: PlainSession, accountId: string, database: Database) {
  const sql = 'SELECT * FROM usage_days WHERE account_id = ? ORDER BY day'
  const read = (): Row[] => database.read<Row>(sql, accountId)
  const rows = read()
  const [first, last] = [rows[0]?.day, rows.at(-2)?.day]
  if (first === undefined) return
  const told = (await by.expect(200, ['GET', `/v1/usage?from=${first}`])) as unknown as Told
  // A video has just ended.
  if (JSON.stringify(read()) !== JSON.stringify(rows)) return
  const expected = daysFrom(first, told.to).map((date) => dayOf(date, rows))
  by.same('the days of use', told.days.map(withoutPrices), expected)
  // What was kept then is not what is kept now.
  const earlier = last && (await by.expect(200, ['GET', `/v1/usage?from=${first}&to=${last}`]))
  if (earlier) {
    const until = expected.filter(({ date }) => date <= last)
    by.same('earlier days of use', (earlier as unknown as Told).days.map(withoutPrices), until)
  }
  const { total } = told
  by.same('all use', withoutPrices(total), sumOf(expected))
  for (const day of [...told.days, total]) judgePrices(by, day)
  await judgeRanges(by, told.to)
}

type Database = Plainly['database']

function daysFrom(first: string, last: string): string[] {
  const dates: string[] = []
  for (let at = Date.parse(first); at <= Date.parse(last); at += dayMs) dates.push(dateOf(at))
  return dates
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function rounded(amount: number): number {
  return Math.round(amount * 1_000) / 1_000
}

function dayOf(date: string, rows: readonly Row[]) {
  const row = rows.find(({ day }) => day === date)
  const of = (column: string): number => row?.[column] ?? 0
  const work = kinds.map((kind) => of(`${kind}_seconds`))
  const kept = rows.filter(({ day }) => day <= date).map((one) => one['kept_bytes'] ?? 0)
  return {
    date,
    counts: [
      ...['succeeded', 'failed', 'canceled'].map(of),
      ...[of('seconds_in') / 60, of('seconds_out') / 60, sum(work)].map(rounded),
    ],
    work: work.map(rounded),
    bytes: [of('result_bytes'), Math.max(0, sum(kept))],
  }
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

type Expected = ReturnType<typeof dayOf>

/** Kept bytes are not added up: each day tells what is kept at its end. */
function sumOf(days: readonly Expected[]) {
  const all = (of: (day: Expected) => readonly number[]): number[] =>
    of(days[0] ?? dayOf('', [])).map((_, i) => rounded(sum(days.map((day) => of(day)[i] ?? 0))))
  return {
    counts: all((day) => day.counts),
    work: all(({ work }) => work),
    bytes: all(({ bytes }) => bytes.slice(0, 1)),
  }
}

function withoutPrices(told: Day) {
  const { date, work, resultBytes, keptBytes } = told
  return {
    ...(date && { date }),
    counts: counts.map((name) => told[name]),
    work: kinds.map((kind) => work[kind]),
    bytes: [resultBytes, keptBytes].filter((bytes) => bytes !== undefined),
  }
}

/** Seconds are told rounded, and bytes are not. */
const roundedMost = 0.000_001
const exact = 1e-12

function judgePrices(by: PlainSession, day: Day): void {
  const { prices: told, work } = day
  const ofWork = kinds.map((kind) => (work[kind] ?? 0) * prices.secondOfProcessor)
  const ofResults = ((day['resultBytes'] ?? 0) / 1e9) * prices.gigabyte
  const isNear = (one = NaN, other = NaN, most = exact): boolean => Math.abs(one - other) < most
  const isGood =
    kinds.every((kind, i) => isNear(told[kind], ofWork[i], roundedMost)) &&
    isNear(told['results'], ofResults) &&
    isNear(day['price'], sum(Object.values(told)))
  by.same(`whether the prices of ${day.date ?? 'all days'} are its use`, isGood, true)
}

/** Who names no days gets those of a month, and nobody gets more than those of a year. */
async function judgeRanges(by: PlainSession, to: string): Promise<void> {
  const usual = (await by.expect(200, ['GET', '/v1/usage'])) as unknown as Told
  by.same('how many days are told', usual.days.length, usualDays)
  const before = (days: number): string => dateOf(Date.parse(to) - days * dayMs)
  const ask = async (status: number, days: number): Promise<unknown> =>
    by.expect(status, ['GET', `/v1/usage?from=${before(days)}&to=${to}`])
  await ask(200, mostDays - 1)
  await ask(400, mostDays)
  await ask(400, -1)
}
