import type { MediaWorker } from '../actors/media/media-worker.ts'
import type { World } from '../engine/world.ts'
import { commonSettings, runsLocally } from '../platform/common-settings.ts'
import type { TimeLimits } from '../promises/late-promises.ts'
import { mostLent } from '../promises/watch/watch-slots.ts'
import { workerToken } from './machines.ts'

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

const settings = {
  ...commonSettings,
  MEDIA_WORKER_TOKEN: workerToken,
  MAIL_API_URL: 'https://mail.example.com/emails',
  MAIL_API_KEY: 'simulated',
  MAIL_FROM: 'Spool <spool@example.com>',
  RATE_LIMITS: '1000/60,20000/3600',
  MAX_PARTS: `${mostLent + 1}`,
}

/** In some worlds, jobs have so little time that some of them exceed it. */
export function limitsOf(world: World): TimeLimits {
  const isShort = world.draw('time is short') < 0.3
  return isShort
    ? { queueMs: 30 * minuteMs, jobMs: 5 * minuteMs }
    : { queueMs: dayMs, jobMs: dayMs / 2 }
}

export function settingsOf(
  world: World,
  workers: readonly MediaWorker[],
  { queueMs, jobMs }: TimeLimits,
) {
  return {
    ...settings,
    MEDIA_WORKER_URLS: workers.map(urlOf).join(),
    // The first sweep in each isolate makes all its work due.
    ...(runsLocally(world) && { ENVIRONMENT: 'local' }),
    MAX_QUEUE_SECONDS: `${queueMs / 1000}`,
    MAX_JOB_SECONDS: `${jobMs / 1000}`,
  }
}

export function urlOf({ name }: MediaWorker): string {
  return `https://${name}.example.com`
}
