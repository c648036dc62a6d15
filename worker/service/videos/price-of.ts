import type { Foresight, Likely } from '../../contract/job/foresight.ts'
import type { Settings } from '../../settings.ts'

/** What a job costs: its processor time, and what its results take. */
export function priceOf(
  { cpuSeconds, results }: Pick<Foresight, 'cpuSeconds' | 'results'>,
  { prices }: Pick<Settings, 'prices'>,
): Likely {
  const at = (name: keyof Likely): number => {
    const bytes = results.reduce((sum, { sizeInBytes }) => sum + sizeInBytes[name], 0)
    const price = cpuSeconds[name] * prices.cpuSecond + (bytes / 1e9) * prices.gigabyte
    return Number(price.toPrecision(3))
  }
  return { likely: at('likely'), least: at('least'), most: at('most') }
}
