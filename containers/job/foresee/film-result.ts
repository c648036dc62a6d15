import type { ForeseenResult, Likely } from '../../../worker/contract/job/foresight.ts'
import type { Paces } from '../../../worker/contract/job/paces.ts'
import { sayPicture, type RenderPlan } from '../../render/plan-render.ts'
import type { Planned } from '../plan/plan-job.ts'
import { boundsOf, bytesWork } from './foresee-bytes.ts'
import { samplePictures } from './sample-result.ts'
import { around, rounded, stretched } from './ranges.ts'

/** What is left of the length that was planned, once words and pauses are found that nobody has listened for. */
export type Lengths = { readonly share: Likely }

/** The bytes of copies hardly differ from those of their sources, seams aside; those of encodes only past results tell. */
const copiedSpread = { whole: 0.03, cut: 0.1 }
const unmeasuredSpread = 0.5
/** How far a result that may be no larger than its source may be from that: what no sample shows may be far smaller. */
const boundedSlack = { sampled: 0.88, unseen: 0.3, most: 1.06 }

/** `pictures`: what samples of an encode show of the bytes of its pictures. */
function bytesOf(
  { plan, clips, context }: Planned,
  paces: Paces,
  pictures: Likely | undefined,
): Likely {
  const { compressionQuality: quality, maxBytes } = context.job.options
  const { kind, units } = bytesWork({ plan, clips, quality, maxBytes })
  const { beside, most } = boundsOf({ plan, clips, maxBytes })
  if (plan.video === 'copy') {
    return around(units, plan.cutting ? copiedSpread.cut : copiedSpread.whole)
  }
  const { ms: ratio, spread } = paces[kind] ?? { ms: 1, spread: unmeasuredSpread }
  const {
    likely,
    least,
    most: highest,
  } = pictures ?? around(Math.max(1, units * ratio - beside), spread)
  // What is bound to be no larger than its source comes near that, and may be a little larger.
  const bounded = (bytes: number, slack = 1) => Math.min(bytes + beside, most * slack)
  return {
    likely: bounded(likely),
    least: bounded(least, pictures ? boundedSlack.sampled : boundedSlack.unseen),
    most: bounded(highest, boundedSlack.most),
  }
}

export async function filmResult(
  planned: Planned,
  { share }: Lengths,
  paces: Paces,
): Promise<ForeseenResult> {
  const { plan } = planned
  const { format, width, height, durationSeconds } = plan
  const bytes = bytesOf(planned, paces, await samplePictures(planned, paces))
  return {
    ...{ format, picture: sayPicture(plan), whyEncoded: plan.whyEncoded ?? null },
    ...{ sound: sounds[plan.audio], width, height },
    duration: rounded(stretched(durationSeconds, share), 3),
    sizeInBytes: rounded(stretched(bytes, share), 0),
  }
}

const sounds: Readonly<Record<RenderPlan['audio'], ForeseenResult['sound']>> = {
  ...{ copy: 'copied', encode: 'encoded', none: 'none' },
}
