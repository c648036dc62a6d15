import { Random } from '../../../fuzz/random.ts'
import { peakOfMean } from '../walls.ts'

const hour = 3_600_000
/** Of a day that names no other number. */
const usualAccounts = 50
/** Several times a day, an account sends this share of its videos at once. */
const burst = { everyHours: 3, shareOfAnHour: 0.1, withinMs: 60_000 }

export type Arrival = { at: number; accountId: string }
type Hours = { from: number; until: number; seed: number; accounts?: number | undefined }

/** How many videos must come in an ordinary hour, so that a day with its bursts has this number of them. */
export function perHourFor(videos: number): number {
  return videos / (24 + (24 / burst.everyHours) * burst.shareOfAnHour)
}

/** How much of the mean comes at this time: least at three in the night, most at three in the afternoon. */
function waveAt(ms: number): number {
  return 1 - (peakOfMean - 1) * Math.cos(((ms / hour - 3) / 24) * 2 * Math.PI)
}

/** The videos of some hours of a day, in the order in which they come; a tenth as many come in bursts besides. */
export function arrivals(
  perHour: number,
  { from, until, seed, accounts = usualAccounts }: Hours,
): Arrival[] {
  const random = new Random(seed)
  const all: Arrival[] = []
  const most = (perHour * peakOfMean) / hour
  for (let at = from * hour; ;) {
    at -= Math.log(1 - random.share()) / most
    if (at >= until * hour) break
    if (random.share() * peakOfMean < waveAt(at))
      all.push({ at, accountId: someone(random, accounts) })
  }
  for (let at = from + burst.everyHours / 2; at < until; at += burst.everyHours) {
    const accountId = someone(random, accounts)
    const count = Math.round(perHour * burst.shareOfAnHour)
    for (let i = 0; i < count; i++) {
      all.push({ at: at * hour + random.share() * burst.withinMs, accountId })
    }
  }
  return all.sort((a, b) => a.at - b.at)
}

/** Some accounts send far more than others: the nth has a share like 1 / n. */
function someone(random: Random, accounts: number): string {
  return `a_${Math.min(accounts, Math.floor(Math.exp(random.share() * Math.log(accounts + 1))))}`
}
