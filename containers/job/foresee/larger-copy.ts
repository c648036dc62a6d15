import { largerCopy } from '../render/in-bytes.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { bytesWork } from './foresee-bytes.ts'

/** The film as it will be made: it is encoded if a copy would be larger than `maxBytes`. */
export function withoutLargerCopy(planned: Planned): Planned {
  const { plan, clips, context } = planned
  const { compressionQuality: quality, maxBytes } = context.job.options
  if (plan.video !== 'copy' || maxBytes === undefined) return planned
  if (bytesWork({ plan, clips, quality, maxBytes }).units <= maxBytes) return planned
  const encoded = { ...planned, copying: largerCopy }
  return { ...encoded, plan: planWith(encoded) }
}
