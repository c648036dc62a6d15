import type { ForeseenResult, Likely } from '../../../worker/contract/job/foresight.ts'
import type { Paces } from '../../../worker/contract/job/paces.ts'
import { bytesUpTo } from '../../render/output/byte-budget.ts'
import { evenFloor } from '../../render/frame/frame-shape.ts'
import { sayPicture, type RenderPlan } from '../../render/plan-render.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { seenBytes } from '../render/encode-film.ts'
import { largerCopy, tooFew } from '../render/in-bytes.ts'
import { besideOf, boundsOf, bytesWork, crfShare, qualityShare } from './foresee-bytes.ts'
import { samplePictures } from './sample-result.ts'
import { added, around, rounded, stretched } from './ranges.ts'
import { cutPictureBytes } from './sample-seams.ts'
import { withSoundBits } from './sample-sound.ts'
import { tryForPlan } from '../try-for-plan.ts'
import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import { storedStream } from '../../graph/stored-stream.ts'

/**
 * `share`: what is left of the length that was planned, once words and pauses are found that nobody has listened for.
 * `isDrawn`: whether a source is a wave or a moving view that a plan does not draw.
 */
export type Assumed = { readonly share: Likely; readonly isDrawn?: boolean }

/** The bytes of copies hardly differ from those of their sources; those of encodes only samples and past results tell. */
const copiedSpread = 0.05
const drawnSpread = 0.5
const unmeasuredSpread = 0.5
/**
 * How far a result that may be no larger than its source may be from that: what no sample shows may be far smaller. The bytes of
 * a source that is not drawn yet are a guess themselves.
 */
const boundedSlack = {
  least: { sampled: 0.88, short: 0.7, unseen: 0.3, undrawn: 0.3 },
  most: { sampled: 1.06, short: 1.2, undrawn: 2.5 },
} as const
/** A bounded rate is kept less well in films below this. */
const shortSeconds = 10

/** `pictures`: the bytes of its pictures, where samples of what is encoded show them. `mayTake`: the most that they may take. */
type Seen = {
  readonly pictures?: Likely | undefined
  readonly mayTake?: number | undefined
  readonly isDrawn?: boolean | undefined
}

function bytesOf(
  { plan, clips, context }: Planned,
  paces: Paces,
  { pictures, mayTake, isDrawn }: Seen,
): Likely {
  const { compressionQuality: quality, maxBytes } = context.job.options
  const { kind, units } = bytesWork({ plan, clips, quality, maxBytes, mayTake })
  const { beside, upTo } = boundsOf({ plan, clips, quality, maxBytes, mayTake })
  if (plan.video === 'copy') {
    return pictures
      ? added(pictures, besideRange(plan))
      : around(
          units,
          isDrawn ? drawnSpread : plan.audio === 'encode' ? copiedSpread * 2 : copiedSpread,
        )
  }
  const shown = plan.durationSeconds < shortSeconds ? 'short' : 'sampled'
  const known = isDrawn ? 'undrawn' : pictures ? shown : 'unseen'
  const { ms: ratio, spread } = paces[kind] ?? { ms: 1, spread: unmeasuredSpread }
  const {
    likely,
    least,
    most: highest,
  } = pictures ?? around(Math.max(1, units * ratio - beside), Math.max(unmeasuredSpread, spread))
  const besides = besideRange(plan)
  // What is bound to be no larger than its source comes near that, and may be a little larger.
  return {
    likely: upTo(likely),
    least: Math.max(0, upTo(least, boundedSlack.least[known]) - (besides.likely - besides.least)),
    most:
      upTo(highest, boundedSlack.most[isDrawn ? 'undrawn' : shown]) +
      (besides.most - besides.likely),
  }
}

export async function filmResult(
  planned: Planned,
  { share, isDrawn = false }: Assumed,
  paces: Paces,
): Promise<ForeseenResult> {
  const { plan } = planned
  const { format, durationSeconds } = plan
  const { width, height } = plan.video === 'copy' ? plan : evenFloor(plan)
  const pictures = await pictureBytes(planned, paces)
  refuseTooFew(planned, pictures, share)
  const mayTake = isDrawn ? undefined : await mostPictureBytes(planned)
  const seen = { pictures, mayTake, isDrawn }
  const sounding = await withSoundBits(planned)
  const copy = smallerCopy(sounding, pictures)
  if (copy) return filmResult({ ...planned, plan: copy }, { share, isDrawn }, paces)
  const { maxBytes = Infinity, maxBitrate = Infinity } = planned.context.job.options
  const copied = await copiedBytes(sounding)
  const bytes = copied ?? bytesOf(sounding, paces, seen)
  // Where cuts show only while the work is done, nobody knows how many seams they leave.
  const isCut = mayBeCut(plan, share)
  const picture = isCut ? 'copied but for seams' : sayPicture(plan)
  return {
    ...{ format, picture, whyEncoded: plan.whyEncoded ?? null },
    ...{ sound: isCut ? cutSounds[plan.audio] : sounds[plan.audio], width, height },
    duration: stretched(durationSeconds, share),
    sizeInBytes: noMoreThan(
      // No second has more than its share, and the last one may be cut short.
      Math.min(maxBytes, (maxBitrate / 8) * Math.ceil(durationSeconds)),
      stretched(isCut ? stretched(bytes, withSeams) : bytes, share),
    ),
  }
}

/** The worst that an encoder makes of a picture. `share`: so much of the bytes that samples tell of it is certain. */
const worst = { crf: 51, share: 0.6 } as const

/**
 * Refuses what no encode can reach, even if as much of the film is left out as may be. What it takes at least is told from
 * samples at another quality, so it may be more.
 */
function refuseTooFew(planned: Planned, pictures: Likely | undefined, share: Likely): void {
  const { maxBytes, compressionQuality } = planned.context.job.options
  const { video, codec } = planned.plan
  if (maxBytes === undefined || video === 'copy') return
  const certain = (worst.share * crfShare(worst.crf)) / qualityShare(compressionQuality)
  const seen = codec === 'h264' ? (pictures?.least ?? 0) * certain : 0
  const beside = besideOf(planWith(planned, { copying: largerCopy, fitBytes: maxBytes }))
  const least = (seen + beside) * Math.min(1, share.least)
  if (least > maxBytes) throw tooFew('maxBytes', least, 'bytes')
}

/** The copy that replaces an encode which is larger: of a source that is stored as coarsely as was asked, or more so. */
function smallerCopy(
  { plan, clips, context }: Planned,
  pictures: Likely | undefined,
): RenderPlan | undefined {
  const { remux } = plan
  if (!remux || !pictures) return undefined
  const { audio, tracks } = remux
  const copied = { audio, tracks, video: 'copy', whyEncoded: undefined, remux: undefined } as const
  const copy: RenderPlan = { ...plan, ...copied }
  const quality = context.job.options.compressionQuality
  const copyBytes = bytesWork({ plan: copy, clips, quality }).units
  return pictures.likely + besideOf(plan) > copyBytes ? copy : undefined
}

/** Whether it is a copy of which it shows only during the work what is cut, as from what is said. */
export function mayBeCut({ video }: RenderPlan, { least, most }: Likely): boolean {
  return video === 'copy' && least < most
}

/** What seams that nobody knows yet add to a copy: their pictures take several times the bytes of stored ones. */
const withSeams: Likely = { likely: 1.25, least: 1, most: 1.8 }

/** A result that must have no more bytes than this never has. */
function noMoreThan(maxBytes: number, { likely, least, most }: Likely): Likely {
  const upTo = (bytes: number) => Math.min(bytes, maxBytes)
  return { likely: upTo(likely), least: upTo(least), most: upTo(most) }
}

/** The bytes of a copy that has more than it shows. */
async function copiedBytes(planned: Planned): Promise<Likely | undefined> {
  const { plan } = planned
  if (plan.video !== 'copy' || plan.cutting) return undefined
  const stored = await copiedPictures(planned)
  if (!stored) return undefined
  const whole = { ...plan, durationSeconds: Math.max(stored.seconds, plan.durationSeconds) }
  return added(around(stored.bytes, 0), besideRange(whole))
}

async function pictureBytes(planned: Planned, paces: Paces): Promise<Likely | undefined> {
  const { plan, context } = planned
  if (plan.cutting) return cutPictureBytes(context, plan.cutting)
  return samplePictures(planned, paces)
}

/** What keeps a result from being larger than its sources, by what these have in the stretches that it shows. */
async function mostPictureBytes({ plan, clips, context }: Planned): Promise<number | undefined> {
  const { budget } = plan
  if (!budget || context.isPartial) return undefined
  return tryForPlan(context, 'The bytes of the sources', async ({ tools }) =>
    bytesUpTo(budget, await seenBytes(tools, clips)),
  )
}

/** What a result takes beside its pictures. An encoder keeps to the rate of a sound less well where it is brief or simple. */
function besideRange(plan: RenderPlan): Likely {
  const sound = (plan.soundBits / 8) * plan.durationSeconds
  const tables = Math.max(0, besideOf(plan) - sound)
  const spread = plan.audio === 'encode' ? encodedSoundSpread : copiedSpread
  return added(around(sound, spread), around(tables, tablesSpread))
}
const encodedSoundSpread = 0.25
/** Of tables, which are long where pictures are shown in another order than they are stored. */
const tablesSpread = 0.6

/** As many digits as mean something to a reader. */
export function roundedResult(result: ForeseenResult): ForeseenResult {
  const { duration, sizeInBytes } = result
  return { ...result, duration: rounded(duration, 3), sizeInBytes: rounded(sizeInBytes, 0) }
}

const sounds: Readonly<Record<RenderPlan['audio'], ForeseenResult['sound']>> = {
  ...{ copy: 'copied', encode: 'encoded', none: 'none' },
}
/** At cuts, sound is encoded. */
const cutSounds = { ...sounds, copy: sounds.encode }

/** Beyond this, a mean rate tells as much, and reading them all takes longer. */
const mostPackets = 300_000

type Stored = { readonly bytes: number; readonly seconds: number }

/**
 * The pictures of a copy whose file does not show all of them: it begins with the first key picture, and what is hidden after
 * that is in it too. Undefined where all is shown, because the file then tells by its size.
 */
async function copiedPictures(planned: Planned): Promise<Stored | undefined> {
  const { clips, context } = planned
  const [{ video, facts }, ...others] = clips
  if (others.length > 0 || context.isPartial) return undefined
  const { path } = storedStream(video).from
  const packing = await tryForPlan(context, 'The copy', async ({ tools }) =>
    measurePacking(tools, path, facts, mostPackets),
  )
  if (!packing?.hasHidden || !packing.isWhole) return undefined
  return fromKey(packing, facts.video.averageFps)
}

function fromKey({ sizes, keys }: Packing, averageFps: number): Stored {
  const copied = sizes.subarray(Math.max(0, keys.indexOf(1)))
  return { bytes: copied.reduce((sum, size) => sum + size, 0), seconds: copied.length / averageFps }
}
