import {
  longestUsageDays,
  usageQuery,
  usualUsageDays,
  type UsageRecord,
} from '../../../contract/usage.ts'
import { answer } from '../bodies.ts'
import type { Described } from '../describe-operation.ts'
import { invalid, wrong } from '../failures.ts'

const amounts = {
  succeeded: 12,
  failed: 1,
  canceled: 0,
  minutesIn: 96.4,
  minutesOut: 81.25,
  processorSeconds: 1312.8,
  work: { measuring: 61.4, rendering: 1104.2, transcribing: 132.9, analysing: 14.3 },
  resultBytes: 734_003_200,
  price: 0.03727,
  prices: {
    ...{ measuring: 0.00123, rendering: 0.02208, transcribing: 0.00266, analysing: 0.00029 },
    results: 0.01101,
  },
}

const usage: UsageRecord = {
  from: '2026-11-20',
  to: '2026-11-21',
  days: [
    {
      date: '2026-11-20',
      succeeded: 0,
      failed: 0,
      canceled: 0,
      minutesIn: 0,
      minutesOut: 0,
      processorSeconds: 0,
      work: { measuring: 0, rendering: 0, transcribing: 0, analysing: 0 },
      resultBytes: 0,
      price: 0,
      prices: { measuring: 0, rendering: 0, transcribing: 0, analysing: 0, results: 0 },
      keptBytes: 0,
    },
    { date: '2026-11-21', ...amounts, keptBytes: 734_003_200 },
  ],
  total: amounts,
  now: {
    keptBytes: 734_003_200,
    storage: { usedBytes: 734_003_200, limitBytes: 100_000_000_000 },
    budget: { limit: 25, used: 4.81, isTight: false, resetAt: '2026-12-01T00:00:00.000Z' },
    queued: 2,
    running: 1,
    mostRunning: null,
    requests: [
      {
        lane: 'requests',
        windowSeconds: 60,
        limit: 100,
        remaining: 98,
        resetAt: '2026-11-21T10:15:44.000Z',
      },
      { lane: 'uploads', windowSeconds: 60, limit: 1000, remaining: 1000, resetAt: null },
    ],
  },
}

const tooLong = `Must be at most ${longestUsageDays} days before the last day`

export const getUsage: Described = {
  summary: 'Read what your account has used',
  description: `Videos by result, minutes in and out, processor seconds by kind of work, what they cost, and bytes kept for every day in UTC, up to a year at once; ${usualUsageDays} days when nothing is asked for. A video counts on the day on which it ended. \`now\` says how full the windows of your key are, what waits and what runs.`,
  query: usageQuery,
  responses: {
    200: answer('The days, their sum, and how things are now.', 'Usage', {
      twoDays: ['Two days', usage],
    }),
    400: invalid({ tooLong: wrong('from', tooLong) }),
  },
}
