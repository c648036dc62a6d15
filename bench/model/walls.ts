import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../../scripts/machine/checkout.ts'
import { inputs, slotSeconds, storedByteDays } from './inputs.ts'
import { countsOfAVideo } from './use-of-a-video.ts'

/** A limit that does not grow with the load, and how much of it one video an hour takes. */
export type Wall = {
  readonly name: string
  readonly limit: number
  readonly unit: string
  readonly from: string
  /** How much of the limit a steady load of one video an hour takes. */
  readonly perVideoAnHour: number
}

/** The busiest hours of a day bring this many times its mean. */
export const peakOfMean = 1.8

const anHour = 3600
/** The day on which the pages of developers.cloudflare.com were last read. */
const read = '2026-11-21'
const databasePage = `d1/platform/limits, ${read}`
const objectPage = `durable-objects/platform/limits, ${read}`
const queuePage = `queues/platform/limits, ${read}`
/** How long an attempt of a webhook takes, and how many an endpoint makes at a time. */
const webhook = { seconds: 0.2, atOnce: 4 }
/** A message waits for the start of its container. */
const dispatchSeconds = inputs.coldStartSeconds.value + 0.5
const swept = 200

export function listWalls(): Wall[] {
  const counts = countsOfAVideo()
  const slots = slotSeconds / anHour
  const { cpus, memoryGib, diskGb } = inputs
  const peak = (perVideo: number): number => (perVideo / anHour) * peakOfMean
  const own = 'wrangler.toml, a setting'
  const limits = `containers/platform/limits, ${read}`
  return [
    wall('`max_instances`', [maxInstances(), 'containers', own], slots * peakOfMean),
    wall('CPUs of the account', [1500, 'CPUs', limits], slots * cpus.value * peakOfMean),
    wall('Memory of the account', [6144, 'GiB', limits], slots * memoryGib.value * peakOfMean),
    wall('Disk of the account', [30_000, 'GB', limits], slots * diskGb.value * peakOfMean),
    databaseWall(),
    wall(
      'D1, statements of 1 ms, one at a time',
      [1000, 'a second', databasePage],
      peak(counts.statements),
    ),
    wall('`KeyGate` of one key', [1000, 'calls a second', objectPage], peak(counts.gateCalls)),
    wall('`Dispatcher`', [1000, 'calls a second', objectPage], peak(counts.dispatcherCalls)),
    wall(
      'Webhooks to one host that answers in 200 ms',
      [webhook.atOnce / webhook.seconds, 'a second', 'worker/contract/limits'],
      peak(1),
    ),
    wall('Queue, messages', [5000, 'a second', queuePage], peak(counts.messages)),
    wall('Queue, consumers at once', [250, 'consumers', queuePage], peak(dispatchSeconds)),
    wall('The sweep: videos archived', [swept, 'a minute', 'worker/queue/sweep-archive'], 1 / 60),
  ]
}

function databaseWall(recordDays?: number): Wall {
  const bytes = storedByteDays(recordDays) * 24
  return wall('D1, size of a database', [10, 'GB', databasePage], bytes / 1e9)
}

/** The first limit of a deployment that a second deployment would raise, if records stay in D1 for this many days. */
export function wallOfACell(recordDays: number): Wall {
  const own = listWalls().filter(({ name }) =>
    /^(D1, statements|`Dispatcher`|The sweep)/.test(name),
  )
  return [databaseWall(recordDays), ...own].reduce((first, one) =>
    reachedAt(one) < reachedAt(first) ? one : first,
  )
}

function wall(
  name: string,
  [limit, unit, from]: [number, string, string],
  perVideoAnHour: number,
): Wall {
  return { name, limit, unit, from, perVideoAnHour }
}

/** The number in the production environment, which comes last in the file. */
export function maxInstances(): number {
  const text = readFileSync(path.join(root, 'wrangler.toml'), 'utf8')
  const found = [...text.matchAll(/^max_instances = (\d+)/gm)].at(-1)?.[1]
  if (found === undefined) throw new Error('wrangler.toml names no max_instances')
  return Number(found)
}

/** How many videos an hour reach the limit. */
export function reachedAt({ limit, perVideoAnHour }: Wall): number {
  return limit / perVideoAnHour
}
