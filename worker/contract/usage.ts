import { z } from 'zod'
import { closedObject } from './input/closed-object.ts'
import { worded } from './answers/wording.ts'
import { timestamp } from './timestamp.ts'

/** A year, with the day on which it began. */
export const longestUsageDays = 366
export const usualUsageDays = 30
/** From here on the owners of an account are told that its budget will be used up. */
export const tightPercent = 80

const date = worded(z.iso.date(), 'a date such as 2026-11-21')

const byWork = {
  measuring: z.number(),
  rendering: z.number(),
  transcribing: z.number(),
  analysing: z.number(),
}

export const usageQuery = closedObject({
  from: date
    .optional()
    .describe(`The first day, in UTC; ${usualUsageDays} days up to the last one when absent`),
  to: date.optional().describe('The last day, in UTC; today when absent'),
})

const amounts = {
  succeeded: z.int().describe('Videos that succeeded'),
  failed: z.int().describe('Videos that failed'),
  canceled: z.int().describe('Videos that were canceled'),
  minutesIn: z
    .number()
    .describe(
      'Length of the sources of videos that succeeded: the result, and what was cut from it',
    ),
  minutesOut: z.number().describe('Length of the results'),
  processorSeconds: z
    .number()
    .describe('Seconds of one processor that the work took, in every attempt of every job'),
  work: z
    .object(byWork)
    .describe('These seconds by kind of work; what ran side by side is divided by its length'),
  resultBytes: z
    .number()
    .describe('Size of the results that were made; a result that was there already is not made'),
  price: z
    .number()
    .describe('What the processor seconds and the results cost, at the prices of today'),
  prices: z
    .object({ ...byWork, results: z.number() })
    .describe('The price by kind of work, and of the results'),
}

export const usageDay = z.object({
  date: z.iso.date(),
  ...amounts,
  keptBytes: z
    .number()
    .describe('What was kept at the end of the day: results, and uploaded sources'),
})
export type UsageDay = z.infer<typeof usageDay>

export const rateWindowState = z.object({
  lane: z
    .enum(['requests', 'reads', 'uploads'])
    .describe('What the window counts; reads have one only where the service sets it'),
  windowSeconds: z.int(),
  limit: z.int(),
  remaining: z.int(),
  resetAt: z.iso
    .datetime()
    .nullable()
    .describe('When it begins again; null before its first request'),
})
export type RateWindowState = z.infer<typeof rateWindowState>

export const usageRecord = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  days: z
    .array(usageDay)
    .describe('Every day from the first to the last, also those without a video'),
  total: z.object(amounts).describe('The sum of these days'),
  now: z.object({
    keptBytes: z.number(),
    storage: z
      .object({
        usedBytes: z
          .number()
          .describe('Results, uploaded sources, and what uploads have announced'),
        limitBytes: z
          .number()
          .nullable()
          .describe('What the account may keep; null without a limit'),
      })
      .describe('With less left than a new upload has, it is answered with 403 `QuotaExceeded`'),
    budget: z
      .object({
        limit: z.number().describe('What the work of a month may cost'),
        used: z.number().describe('What it has cost so far'),
        isTight: z.boolean().describe(`Whether ${tightPercent} % are used`),
        resetAt: timestamp.describe('When the next month begins, in UTC'),
      })
      .nullable()
      .describe('From `limit` on, new videos are answered with 402 `BudgetExceeded`; null without'),
    queued: z.int().describe('Videos that wait'),
    running: z.int().describe('Videos being processed'),
    mostRunning: z.int().nullable().describe('How many may run at once; null without a cap'),
    requests: z.array(rateWindowState).describe('The windows of the key that asks'),
  }),
})
export type UsageRecord = z.infer<typeof usageRecord>
