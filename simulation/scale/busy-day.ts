import { slotSeconds } from '../../bench/model/inputs.ts'
import { maxInstances, peakOfMean } from '../../bench/model/walls.ts'
import { Random } from '../../fuzz/random.ts'
import type { Mutation } from '../engine/program.ts'

const hour = 3_600_000
/** Several times a day, an account sends this share of an hour's videos at once. */
const burst = { everyHours: 3, shareOfAnHour: 0.1, withinMs: 60_000 }

/** A day of videos from accounts that differ in size, few at night and most at three in the afternoon. */
export type BusyDay = {
  videos: number
  accounts: number
  seed: number
  until: number
  /** The number of containers; if absent, a tenth more than the busiest hour needs. With few, even a small day has long lines. */
  containers?: number | undefined
}

/**
 * Reports of working media workers are four fifths of all requests. They are alike, and reach neither the database nor the
 * bucket, so these media workers send fewer: one at each phase, and one every ten seconds in between.
 */
export const slowHeartbeat: Mutation = {
  file: 'containers/job/report/send-report.ts',
  find: 'const tellAgainMs = 5_000',
  replace: 'const tellAgainMs = 10_000',
}

/** How many videos come in an ordinary hour, so that the day with its bursts has the wanted number. */
function perHour({ videos }: BusyDay): number {
  return videos / (24 + (24 / burst.everyHours) * burst.shareOfAnHour)
}

export function containersOf(day: BusyDay): number {
  const busy = (perHour(day) * peakOfMean * slotSeconds) / 3600
  return day.containers ?? Math.max(maxInstances(), Math.ceil(busy * 1.1))
}

export type Arrival = { at: number; accountId: string }

/** The videos in the order in which they come; a tenth of that number comes in bursts besides. */
export function arrivals(day: BusyDay): Arrival[] {
  const { until, seed, accounts } = day
  const random = new Random(seed)
  const all: Arrival[] = []
  const most = (perHour(day) * peakOfMean) / hour
  for (let at = 0; ;) {
    at -= Math.log(1 - random.share()) / most
    if (at >= until * hour) break
    if (random.share() * peakOfMean < waveAt(at))
      all.push({ at, accountId: someone(random, accounts) })
  }
  for (let at = burst.everyHours / 2; at < until; at += burst.everyHours) {
    const accountId = someone(random, accounts)
    const count = Math.round(perHour(day) * burst.shareOfAnHour)
    for (let i = 0; i < count; i++) {
      all.push({ at: at * hour + random.share() * burst.withinMs, accountId })
    }
  }
  return all.sort((a, b) => a.at - b.at)
}

/** The load at this time, as a multiple of the mean. */
function waveAt(ms: number): number {
  return 1 - (peakOfMean - 1) * Math.cos(((ms / hour - 3) / 24) * 2 * Math.PI)
}

/** An account by chance; the nth account has a share proportional to 1 / n. */
function someone(random: Random, accounts: number): string {
  return `a_${Math.min(accounts, Math.floor(Math.exp(random.share() * Math.log(accounts + 1))))}`
}
