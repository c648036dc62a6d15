import { slotSeconds } from './inputs.ts'
import { simulateDay, type Day } from './day/simulate-day.ts'
import type { DayFigures } from './day/day-book.ts'
import { maxInstances, peakOfMean } from './walls.ts'

const seed = 20261123

/** The mean of a day, in videos an hour, and the hours of the day that are replayed. */
export const loads = [
  { perHour: 10, from: 0, until: 24 },
  { perHour: 1_000, from: 0, until: 24 },
  { perHour: 100_000, from: 14, until: 17 },
] as const
export type Load = (typeof loads)[number]

/** As many as the busiest hour keeps busy, and a tenth more; never fewer than are configured. */
export function slotsFor({ perHour }: { perHour: number }): number {
  const busy = (perHour * peakOfMean * slotSeconds) / 3600
  return Math.max(maxInstances(), Math.ceil(busy * 1.1))
}

export type Replayed = { readonly day: Day; readonly figures: DayFigures }

export function replay(load: Load): Replayed {
  const day = { ...load, slots: slotsFor(load), seed }
  return { day, figures: simulateDay(day) }
}
