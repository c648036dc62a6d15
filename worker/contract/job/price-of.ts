import type { Foresight, Likely } from './foresight.ts'
import type { MostOfJob, Prices } from './most-of-job.ts'

type PricedWork = Pick<Foresight, 'cpuSeconds' | 'results'>

/** The cost of work: its processor time, and the size of its results. */
export function costOf(cpuSeconds: number, bytes: number, prices: Prices): number {
  return cpuSeconds * prices.cpuSecond + (bytes / 1e9) * prices.gigabyte
}

/** The foreseen price of a job. */
export function priceOf({ cpuSeconds, results }: PricedWork, prices: Prices): Likely {
  const at = (name: keyof Likely): number => {
    const bytes = results.reduce((sum, { sizeInBytes }) => sum + sizeInBytes[name], 0)
    return Number(costOf(cpuSeconds[name], bytes, prices).toPrecision(3))
  }
  return { likely: at('likely'), least: at('least'), most: at('most') }
}

/** Why a job takes more than it may; undefined if it does not. */
export function beyondMost(
  foreseen: PricedWork & Pick<Foresight, 'seconds'>,
  { seconds = Infinity, price = Infinity, prices }: MostOfJob,
): string | undefined {
  const takes = foreseen.seconds.likely
  if (takes > seconds)
    return `maxSeconds: the work would take about ${takes} s, more than ${seconds}.`
  const costs = priceOf(foreseen, prices).likely
  if (costs > price) return `maxPrice: the work would cost about ${costs}, more than ${price}.`
  return undefined
}
