import type { ForeseenResult, Likely } from '../../../worker/contract/job/foresight.ts'
import type { Paces } from '../../../worker/contract/job/paces.ts'
import { sayPicture, type RenderPlan } from '../../render/plan-render.ts'
import type { Planned } from '../plan/plan-job.ts'
import { boundsOf, bytesWork } from './foresee-bytes.ts'
import { samplePictures } from './sample-result.ts'
import { added, around, rounded, stretched } from './ranges.ts'
import { cutPictureBytes } from './sample-seams.ts'
import { withSoundBits } from './sample-sound.ts'

/** What is left of the length that was planned, once words and pauses are found that nobody has listened for. */
export type Lengths = { readonly share: Likely }

/** The bytes of copies hardly differ from those of their sources; those of encodes only samples and past results tell. */
const copiedSpread = 0.05
const unmeasuredSpread = 0.5
/** How far a result that may be no larger than its source may be from that: what no sample shows may be far smaller. */
const boundedSlack = {
  least: { sampled: 0.88, short: 0.7, unseen: 0.3 },
  most: { sampled: 1.06, short: 1.2, unseen: 1.06 },
} as const
/** A bounded rate is kept less well in films below this. */
const shortSeconds = 10

/** `pictures`: the bytes of its pictures, where samples of what is encoded show them. */
function bytesOf(
  { plan, clips, context }: Planned,
  paces: Paces,
  pictures: Likely | undefined,
): Likely {
  const { compressionQuality: quality, maxBytes } = context.job.options
  const { kind, units } = bytesWork({ plan, clips, quality, maxBytes })
  const { beside, most } = boundsOf({ plan, clips, maxBytes })
  if (plan.video === 'copy') {
    return pictures
      ? added(pictures, around(beside, copiedSpread))
      : around(units, plan.audio === 'encode' ? copiedSpread * 2 : copiedSpread)
  }
  const known = !pictures ? 'unseen' : plan.durationSeconds < shortSeconds ? 'short' : 'sampled'
  const { ms: ratio, spread } = paces[kind] ?? { ms: 1, spread: unmeasuredSpread }
  const {
    likely,
    least,
    most: highest,
  } = pictures ?? around(Math.max(1, units * ratio - beside), Math.max(unmeasuredSpread, spread))
  // What is bound to be no larger than its source comes near that, and may be a little larger.
  const bounded = (bytes: number, slack = 1) => Math.min(bytes + beside, most * slack)
  return {
    likely: bounded(likely),
    least: bounded(least, boundedSlack.least[known]),
    most: bounded(highest, boundedSlack.most[known]),
  }
}

export async function filmResult(
  planned: Planned,
  { share }: Lengths,
  paces: Paces,
): Promise<ForeseenResult> {
  const { plan } = planned
  const { format, width, height, durationSeconds } = plan
  const pictures = plan.cutting
    ? await cutPictureBytes(planned.context, plan.cutting)
    : await samplePictures(planned, paces)
  const bytes = bytesOf(await withSoundBits(planned), paces, pictures)
  return {
    ...{ format, picture: sayPicture(plan), whyEncoded: plan.whyEncoded ?? null },
    ...{ sound: sounds[plan.audio], width, height },
    duration: stretched(durationSeconds, share),
    sizeInBytes: stretched(bytes, share),
  }
}

/** As many digits as mean something to a reader. */
export function roundedResult(result: ForeseenResult): ForeseenResult {
  const { duration, sizeInBytes } = result
  return { ...result, duration: rounded(duration, 3), sizeInBytes: rounded(sizeInBytes, 0) }
}

const sounds: Readonly<Record<RenderPlan['audio'], ForeseenResult['sound']>> = {
  ...{ copy: 'copied', encode: 'encoded', none: 'none' },
}
