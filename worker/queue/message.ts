import { z } from 'zod'
import { deliveryId } from '../contract/ids.ts'

/** Ids only. What a later version has written beside them is left out. */
export const deliveryMessage = z.object({ kind: z.literal('deliver'), deliveryId })

/** With its ten tries, a message of a kind that is not known has 30 minutes: a rollout may bring one who reads it. */
export const unreadDelaySeconds = 180
