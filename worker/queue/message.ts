import { z } from 'zod'
import { batchId, deliveryId } from '../contract/ids.ts'

/** Carries only ids. Fields that a later version has added are ignored. */
export const deliveryMessage = z.object({
  kind: z.literal('deliver'),
  deliveryId,
})

/** Goes on with a batch that is being canceled. */
export const batchMessage = z.object({
  kind: z.literal('cancel-batch'),
  batchId,
})

/**
 * A message is tried ten times, so one that this version cannot read lasts 30 minutes, in which a rollout may bring a
 * version that can.
 */
export const unreadDelaySeconds = 180
