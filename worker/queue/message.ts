import { z } from 'zod'
import { deliveryId, jobId } from '../contract/ids.ts'

/**
 * Ids only: what there is to know about a job is in its row by the time it is read. What a later version has written
 * beside them is left out.
 */
export const jobMessage = z.object({
  kind: z.literal('dispatch'),
  jobId,
  /** How often the job has met no free media worker. */
  waits: z.int().min(0).default(0),
  /** Set when a slot has fallen free: how often this message has found it not free yet. */
  woken: z.int().min(0).optional(),
})
export type JobMessage = z.infer<typeof jobMessage>

export const deliveryMessage = z.object({ kind: z.literal('deliver'), deliveryId })

/** With its ten tries, a message of a kind that is not known has 30 minutes: a rollout may bring one who reads it. */
export const unreadDelaySeconds = 180

const firstWaitSeconds = 5
const longestWaitSeconds = 60

/** 5 s doubling to 60 s, spread by up to a quarter so that waiting jobs do not come back together. */
export function waitSeconds(waits: number, random: () => number): number {
  const base = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** Math.min(waits, 10))
  return Math.round(base * (0.75 + 0.25 * random()))
}
