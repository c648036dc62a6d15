import { z } from 'zod'
import { deliveryId } from '../contract/ids.ts'

export const deliveryMessage = z.strictObject({ kind: z.literal('deliver'), deliveryId })
