import { measurePeak } from '../../ffmpeg/measure-peak.ts'
import { describePlan } from '../../render/plan-render.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { tooFew } from './in-bytes.ts'
import { renderFreely, renderInBytes, type FirstEncode } from './render-freely.ts'
import type { Rendered } from './run-plan.ts'

/**
 * Renders a film so that its file has at most `maxBytes`, and no second of it more than `maxBitrate`. A film without limits may
 * have been encoded together with others.
 */
export async function renderOutput(planned: Planned, first?: FirstEncode): Promise<Rendered> {
  const { maxBytes } = planned.context.job.options
  if (first) {
    planned.context.trace.plan(describePlan(first.result.plan))
    return renderFreely(planned, first)
  }
  if (maxBytes === undefined) return renderInRate(planned)
  if (!fillsBytes(planned, maxBytes)) {
    const result = await renderInRate(planned)
    if (result.facts.sizeBytes <= maxBytes) return result
  }
  return renderInBytes(planned, maxBytes)
}

/** Whether an encode at the best quality uses up all bytes that it may have. */
export function fillsBytes({ context, clips, plan }: Planned, maxBytes = Infinity): boolean {
  if (context.job.options.compressionQuality < 100 || plan.video === 'copy') return false
  const all = clips.reduce((sum, { facts }) => sum + facts.durationSeconds, 0)
  const bytes = clips.reduce((sum, { facts }) => sum + facts.sizeBytes, 0)
  return (bytes * plan.durationSeconds) / Math.max(all, 0.001) > maxBytes
}

const rateTries = 6
const rateAim = 0.97
/** Sound and key pictures follow a given rate less closely than the rest. */
const rateSteepness = 1.5

/** Encoders keep to a rate only roughly: if a second exceeds it, the next try gets a lower rate. */
async function renderInRate(planned: Planned): Promise<Rendered> {
  const { context } = planned
  const { maxBitrate } = context.job.options
  let own = planned
  let given = maxBitrate ?? Number.POSITIVE_INFINITY
  for (let tries = 1; ; tries++) {
    const result = await renderFreely(own)
    if (maxBitrate === undefined) return result
    const bits = await measurePeak(context.tools, result.name, result.facts)
    if (bits <= maxBitrate) return result
    if (tries >= rateTries) throw tooFew('maxBitrate', bits, 'bits a second')
    given *= ((rateAim * maxBitrate) / bits) ** rateSteepness
    context.log('info', 'A second of the result has too many bits; encoding it again', { bits })
    own = withRate(planned, Math.round(given))
  }
}

/** The same film at another rate than the requested one. */
function withRate(planned: Planned, maxBitrate: number): Planned {
  const { context } = planned
  const { job } = context
  const options = { ...job.options, maxBitrate }
  const changed = { ...planned, context: { ...context, job: { ...job, options } } }
  return { ...changed, plan: planWith(changed) }
}
