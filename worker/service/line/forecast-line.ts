import type { TimeLeftRange } from '../../contract/job/paces.ts'

/** A job that has a slot; `endsAt` is Infinity while it is unknown. */
type Working = { accountId: string; endsAt: number }

/** A job in line, and how long its work takes; Infinity while that is unknown. */
type Queued = { jobId: string; accountId: string; takesMs: number }

export type ForecastTimes = { startsAt: number; endsAt: number }

/**
 * When each job of the line begins and ends if no others come, and if there are as many slots as jobs that work now. A job
 * begins when a slot falls free or, if its account is at its cap, when enough of the account's own jobs have ended.
 */
export function forecastLine(
  order: readonly Queued[],
  working: readonly Working[],
  { mostOf, now }: { mostOf: (accountId: string) => number | null; now: number },
): Map<string, ForecastTimes> {
  const freeAt: number[] = []
  const ends = new Map<string, number[]>()
  const endsOf = (accountId: string): number[] => {
    const known = ends.get(accountId) ?? []
    ends.set(accountId, known)
    return known
  }
  for (const { accountId, endsAt } of working) {
    const ahead = Math.max(now, endsAt)
    insert(freeAt, ahead)
    insert(endsOf(accountId), ahead)
  }
  const forecast = new Map<string, ForecastTimes>()
  if (freeAt.length === 0) return forecast
  for (const { jobId, accountId, takesMs } of order) {
    const own = endsOf(accountId)
    const most = mostOf(accountId)
    const mayBeginAt = most === null ? now : (own.at(-most) ?? now)
    // Slots that fall free before this job may begin go to other jobs.
    const last = freeAt.findLastIndex((at) => at <= mayBeginAt)
    const slot = Math.max(0, last)
    const startsAt = Math.max(mayBeginAt, freeAt[slot] ?? now)
    const endsAt = startsAt + takesMs
    if (mayBeginAt < Infinity) {
      freeAt.splice(slot, 1)
      insert(freeAt, endsAt)
    }
    insert(own, endsAt)
    forecast.set(jobId, { startsAt, endsAt })
  }
  return forecast
}

/** Inserts into a sorted list, from the end, where most values belong. */
function insert(sorted: number[], value: number): void {
  sorted.splice(sorted.findLastIndex((one) => one <= value) + 1, 0, value)
}

/** How far the end of a running job may be from its forecast, as a share of the time until then. */
const runningSpread = 0.3

/** Until when a job is done that starts after this time: four of five jobs are between `least` and `most`. */
export function leftWithin(
  pastMs: readonly number[],
  { startsInMs, takesMs }: { startsInMs: number; takesMs: number },
): TimeLeftRange | undefined {
  const sorted = pastMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]
  const [least, most] = [at(0.1), at(0.9)]
  if (least === undefined || most === undefined) return undefined
  return {
    seconds: (startsInMs + takesMs) / 1000,
    least: (startsInMs * (1 - runningSpread) + Math.min(least, takesMs)) / 1000,
    most: (startsInMs * (1 + runningSpread) + Math.max(most, takesMs)) / 1000,
  }
}

/** How long a job has worked. */
export type Worked = { accountId: string; ms: number }

/** Each older job counts this much less towards the forecast of the next one. */
const olderShare = 0.7

/**
 * How long the next job of an account takes: as long as its last ones, because people send similar videos one after the
 * other; if it had none, as long as those of all accounts. The last one counts most. The mean is used and not the median,
 * because the times of several jobs in line add up.
 */
export function takesByThePast(past: readonly Worked[], accountId: string): number | undefined {
  const own = past.filter((one) => one.accountId === accountId)
  const alike = (own.length > 0 ? own : past).toReversed()
  const [sum, weights] = alike.reduce<readonly [number, number]>(
    ([sum, weights], { ms }, i) => [sum + ms * olderShare ** i, weights + olderShare ** i],
    [0, 0],
  )
  return weights === 0 ? undefined : sum / weights
}

/** How much longer a job works that has worked for this long, judged by how long others have worked in all. */
export function leftByThePast(pastMs: readonly number[], workedMs: number): number | undefined {
  if (pastMs.length === 0) return undefined
  const longer = pastMs.filter((one) => one > workedMs).sort((a, b) => a - b)
  const median = longer[Math.floor(longer.length / 2)]
  // A job that has taken longer than all others is most likely halfway through.
  return median === undefined ? workedMs : median - workedMs
}
