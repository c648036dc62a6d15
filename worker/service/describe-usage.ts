import type { FieldFault } from '../contract/answers/errors.ts'
import {
  longestUsageDays,
  usualUsageDays,
  type RateWindowState,
  type UsageDay,
  type UsageRecord,
} from '../contract/usage.ts'
import type { Prices } from '../contract/job/most-of-job.ts'
import { costOf } from '../contract/job/price-of.ts'
import type { UsageDayRow } from '../store/tables/account-tables.ts'
import type { StoredUsage } from '../store/usage.ts'
import { timestamp } from './videos/describe-video.ts'
import type { LaneStates } from './limits/rate-limit.ts'

const dayMs = 86_400_000

type Days = { from: string; to: string }

/** Kinds of work. */
const kinds = ['measuring', 'rendering', 'transcribing', 'analysing'] as const
/** The days that a query asks for, or what is wrong with it. */
export function chooseDays(
  asked: { from?: string | undefined; to?: string | undefined },
  now: number,
): Days | FieldFault {
  const { to = dayOf(now) } = asked
  const { from = dayOf(Date.parse(to) - (usualUsageDays - 1) * dayMs) } = asked
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1) return { field: 'from', message: `Must not be after ${to}, the last day` }
  if (days <= longestUsageDays) return { from, to }
  return { field: 'from', message: `Must be at most ${longestUsageDays} days before the last day` }
}

function dayOf(at: number): string {
  return timestamp(at).slice(0, 10)
}

type UsageLimits = {
  limitBytes: number | undefined
  budget: UsageRecord['now']['budget']
  prices: Prices
  windows: readonly LaneStates[]
}

/** Every day of the range, although only those with any use have a row. */
export function describeUsage(
  { from, to }: Days,
  stored: StoredUsage,
  { limitBytes, budget, prices, windows }: UsageLimits,
): UsageRecord {
  const { keptBytes, usedBytes, queued, running, mostRunning } = stored
  const storage = { usedBytes, limitBytes: limitBytes ?? null }
  const days = listDays({ from, to }, stored, prices)
  return {
    from,
    to,
    days,
    total: {
      succeeded: sum(days, ({ succeeded }) => succeeded),
      failed: sum(days, ({ failed }) => failed),
      canceled: sum(days, ({ canceled }) => canceled),
      minutesIn: rounded(sum(days, ({ minutesIn }) => minutesIn)),
      minutesOut: rounded(sum(days, ({ minutesOut }) => minutesOut)),
      processorSeconds: rounded(sum(days, ({ processorSeconds }) => processorSeconds)),
      work: ofEach(kinds, (kind) => rounded(sum(days, ({ work }) => work[kind]))),
      resultBytes: sum(days, ({ resultBytes }) => resultBytes),
      price: sum(days, ({ price }) => price),
      prices: ofEach([...kinds, 'results'], (kind) => sum(days, (day) => day.prices[kind])),
    },
    now: {
      ...{ keptBytes, storage, budget, queued, running, mostRunning },
      requests: windows.flatMap(describeWindows),
    },
  }
}

/** Counts back from the last day: the bytes kept at the end of a day are those kept now without what came later. */
function listDays(
  { from, to }: Days,
  { days, keptBytes, keptSince }: StoredUsage,
  prices: Prices,
): UsageDay[] {
  const known = new Map(days.map((row) => [row.day, row]))
  const listed: UsageDay[] = []
  let kept = keptBytes - keptSince
  for (let at = Date.parse(to); at >= Date.parse(from); at -= dayMs) {
    const date = dayOf(at)
    const row = known.get(date)
    listed.push(describeDay(date, row, { kept, prices }))
    kept -= row?.keptBytes ?? 0
  }
  return listed.reverse()
}

function describeDay(
  date: string,
  row: UsageDayRow | undefined,
  { kept, prices }: { kept: number; prices: Prices },
): UsageDay {
  const { succeeded = 0, failed = 0, canceled = 0 } = row ?? {}
  const { secondsIn = 0, secondsOut = 0, resultBytes = 0 } = row ?? {}
  const secondsOf = (kind: (typeof kinds)[number]) => row?.[kind] ?? 0
  const processorSeconds = sum(kinds, secondsOf)
  return {
    date,
    succeeded,
    failed,
    canceled,
    minutesIn: rounded(secondsIn / 60),
    minutesOut: rounded(secondsOut / 60),
    processorSeconds: rounded(processorSeconds),
    work: ofEach(kinds, (kind) => rounded(secondsOf(kind))),
    resultBytes,
    price: costOf(processorSeconds, resultBytes, prices),
    prices: {
      ...ofEach(kinds, (kind) => costOf(secondsOf(kind), 0, prices)),
      results: costOf(0, resultBytes, prices),
    },
    keptBytes: Math.max(0, kept),
  }
}

export function describeWindows({ lane, states }: LaneStates): RateWindowState[] {
  return states.map(({ limit, seconds, remaining, resetAt }) => ({
    lane,
    windowSeconds: seconds,
    limit,
    remaining,
    resetAt: remaining < limit ? timestamp(resetAt) : null,
  }))
}

function sum<One>(list: readonly One[], amountOf: (one: One) => number): number {
  return list.reduce((total, one) => total + amountOf(one), 0)
}

function ofEach<Name extends string>(
  names: readonly Name[],
  amountOf: (name: Name) => number,
): Record<Name, number> {
  // Object.fromEntries() loses the type of the keys.
  return Object.fromEntries(names.map((name) => [name, amountOf(name)])) as Record<Name, number>
}

function rounded(amount: number): number {
  return Math.round(amount * 1000) / 1000
}
