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

type Limits = {
  limitBytes: number | undefined
  budget: UsageRecord['now']['budget']
  prices: Prices
  windows: readonly LaneStates[]
}

/** Every day of the range, although only those with any use have a row. */
export function describeUsage(
  { from, to }: Days,
  stored: StoredUsage,
  { limitBytes, budget, prices, windows }: Limits,
): UsageRecord {
  const { keptBytes, usedBytes, queued, running, mostRunning } = stored
  const storage = { usedBytes, limitBytes: limitBytes ?? null }
  const days = listDays({ from, to }, stored, prices)
  const work = (kind: keyof UsageDay['work']) => rounded(sum(days, (day) => day.work[kind]))
  const cost = (kind: keyof UsageDay['prices']) => sum(days, (day) => day.prices[kind])
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
      work: {
        measuring: work('measuring'),
        rendering: work('rendering'),
        transcribing: work('transcribing'),
        analysing: work('analysing'),
      },
      resultBytes: sum(days, ({ resultBytes }) => resultBytes),
      price: sum(days, ({ price }) => price),
      prices: {
        measuring: cost('measuring'),
        rendering: cost('rendering'),
        transcribing: cost('transcribing'),
        analysing: cost('analysing'),
        results: cost('results'),
      },
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
  const { measuring = 0, rendering = 0, transcribing = 0, analysing = 0 } = row ?? {}
  const processorSeconds = measuring + rendering + transcribing + analysing
  return {
    date,
    succeeded,
    failed,
    canceled,
    minutesIn: rounded(secondsIn / 60),
    minutesOut: rounded(secondsOut / 60),
    processorSeconds: rounded(processorSeconds),
    work: {
      measuring: rounded(measuring),
      rendering: rounded(rendering),
      transcribing: rounded(transcribing),
      analysing: rounded(analysing),
    },
    resultBytes,
    price: costOf(processorSeconds, resultBytes, prices),
    prices: {
      measuring: costOf(measuring, 0, prices),
      rendering: costOf(rendering, 0, prices),
      transcribing: costOf(transcribing, 0, prices),
      analysing: costOf(analysing, 0, prices),
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

function sum(days: readonly UsageDay[], amountOf: (day: UsageDay) => number): number {
  return days.reduce((total, day) => total + amountOf(day), 0)
}

function rounded(amount: number): number {
  return Math.round(amount * 1000) / 1000
}
