import type { ForeseenResult, Likely } from '../../../worker/contract/job/foresight.ts'
import type { Paces } from '../../../worker/contract/job/paces.ts'
import { bytesUpTo, goodShare } from '../../render/output/byte-budget.ts'
import { canShareOut } from '../../render/output/picture-codecs.ts'
import { evenFloor } from '../../render/frame/frame-shape.ts'
import { sayPicture, type RenderPlan } from '../../render/plan-render.ts'
import { planWith, type Planned } from '../plan/plan-job.ts'
import { isSharedOut } from '../render/as-planned.ts'
import { seenBytes } from '../render/encode-film.ts'
import { aimedShare, largerCopy, tooFew, usedShare } from '../render/in-bytes.ts'
import { fillsBytes } from '../render/render-output.ts'
import type { Tried } from './as-tried.ts'
import { effortShare } from '../report/encoding-effort.ts'
import { besideOf, boundsOf, bytesWork, crfShare, qualityShare } from './foresee-bytes.ts'
import { samplePictures, type Sampled } from './sample-result.ts'
import { added, around, rounded, stretched } from './ranges.ts'
import { cutPictureBytes } from './sample-seams.ts'
import { withSoundBits } from './sample-sound.ts'
import { tryForPlan } from '../try-for-plan.ts'
import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import { storedStream } from '../../graph/stored-stream.ts'

/**
 * `share`: how much is left of the planned length once words and pauses are found that are not known yet. `isDrawn`: whether a
 * source is a waveform or a moving view that a plan does not draw.
 */
export type Assumed = { readonly share: Likely; readonly isDrawn?: boolean }

/** The bytes of a copy are nearly those of its source; for an encode, only samples and past results tell them. */
const copiedSpread = 0.05
const drawnSpread = 0.5
const unmeasuredSpread = 0.5
/**
 * How far a result may be from the size of its source, which it must not exceed: parts that no sample shows may be far smaller.
 * The size of a source that is not drawn yet is a guess itself.
 */
const boundedSlack = {
  least: { sampled: 0.88, short: 0.7, unseen: 0.3, undrawn: 0.3 },
  most: { sampled: 1.06, short: 1.2, undrawn: 2.5 },
} as const
/** In shorter films, encoders keep less well to a bounded rate. */
const shortSeconds = 10

/** `pictures`: the bytes of its pictures, if samples of the encode show them. `mayTake`: the most that they may take. */
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
  const { kind, units } = bytesWork({ plan, clips, quality, maxBytes })
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
  // A result that must not exceed its source comes close to its size, and may be a little larger.
  return {
    likely: upTo(likely),
    least: Math.max(0, upTo(least, boundedSlack.least[known]) - (besides.likely - besides.least)),
    most:
      upTo(highest, boundedSlack.most[isDrawn ? 'undrawn' : shown]) +
      (besides.most - besides.likely),
  }
}

/** `tried`: what samples tell of its encode. */
export type FilmResult = { readonly result: ForeseenResult; readonly tried: Tried }

export async function filmResult(
  planned: Planned,
  { share, isDrawn = false }: Assumed,
  paces: Paces,
): Promise<FilmResult> {
  const { plan } = planned
  const { format, durationSeconds } = plan
  const { width, height } = plan.video === 'copy' ? plan : evenFloor(plan)
  const { bytes: pictures, processor } = (await seenPictures(planned, paces)) ?? {}
  refuseTooFew(planned, pictures, share)
  const mayTake = isDrawn ? undefined : await mostPictureBytes(planned)
  const seen = { pictures, mayTake, isDrawn }
  const sounding = await withSoundBits(planned)
  const { maxBytes = Infinity, maxBitrate = Infinity } = planned.context.job.options
  const isFilled = fillsBytes(planned, maxBytes)
  const usualRuns = isFilled ? undefined : timesEncoded(plan, seen)
  const atRate = plan.video === 'copy' ? Infinity : (maxBitrate / 8) * durationSeconds
  const copy = smallerCopy(sounding, pictures)
  if (copy) {
    const copied = await filmResult({ ...planned, plan: copy }, { share, isDrawn }, paces)
    return { ...copied, tried: { run: processor, runs: usualRuns } }
  }
  const copied = await copiedBytes(sounding)
  const bytes = copied ?? bytesOf(sounding, paces, seen)
  const isBound = !isFilled && bytes.likely > atRate * ofRate.least
  const runs = isBound ? whenBound : usualRuns
  // If cuts are found only during the work, the number of seams is unknown.
  const isCut = mayBeCut(plan, share)
  const picture = isCut ? 'copied but for seams' : sayPicture(plan)
  const uncut = isBound ? withinRate(bytes, atRate) : bytes
  const unfilled = isCut ? stretched(bytes, withSeams) : uncut
  const result = {
    ...{ format, picture, whyEncoded: plan.whyEncoded ?? null },
    ...{ sound: isCut ? cutSounds[plan.audio] : sounds[plan.audio], width, height },
    duration: stretched(lengthOf(planned), share),
    sizeInBytes: noMoreThan(
      // No second exceeds its share, and the last one may be cut short.
      Math.min(maxBytes, (maxBitrate / 8) * Math.ceil(durationSeconds)),
      isFilled ? filledBytes(bytes, maxBytes) : stretched(unfilled, share),
    ),
  }
  const made = Math.max(1, bytes.likely - besideOf(sounding.plan))
  const lower = pictures ? lowerEffort(plan, made, pictures.likely) : 1
  return { result, tried: { run: processor && { ...processor, ms: processor.ms * lower }, runs } }
}

/** How much of the time an encode takes that may not take as many bytes as its samples did. */
function lowerEffort(plan: RenderPlan, made: number, sampled: number): number {
  const pixels = plan.width * plan.height * plan.averageFps * plan.durationSeconds
  const bitsOf = (bytes: number) => (8 * bytes) / Math.max(1, pixels)
  return Math.min(1, effortShare(plan.codec, bitsOf(made), bitsOf(sampled)))
}

/**
 * A WebM film may be longer by this much: Opus is stored in packets of 20 ms after a lead-in of 6.5 ms, and no picture tells how
 * long it is shown.
 */
const mostLonger = 0.027

/** The length of a film: at another rate, it ends with a whole picture. */
function lengthOf({ plan, context }: Planned): Likely {
  const { format, averageFps, durationSeconds: likely } = plan
  if (plan.video === 'copy') return around(likely, 0)
  const picture = context.job.options.fps === undefined ? 0 : 1 / averageFps
  const sound = format === 'webm' ? mostLonger : 0
  return { likely, least: likely - picture, most: likely + Math.max(picture, sound) }
}

function filledBytes({ least }: Likely, maxBytes: number): Likely {
  return {
    likely: aimedShare * maxBytes,
    least: Math.min(least, usedShare * maxBytes),
    most: maxBytes,
  }
}

/** How much of its highest rate a film has in the mean: the second with the most bits decides how many the others have. */
const ofRate = { likely: 0.78, least: 0.62 } as const
/** How often such a film is encoded: first with the rate that was asked for, which some second of it exceeds. */
const whenBound = 2

/** The bytes of a film of which some second would have too many bits. */
function withinRate({ likely, least }: Likely, atRate: number): Likely {
  return {
    likely: Math.min(likely, ofRate.likely * atRate),
    least: Math.min(least, ofRate.least * atRate),
    most: atRate,
  }
}

/** The lowest quality of an encoder. `share`: how much of the bytes foreseen from samples is certain. */
const worst = { crf: 51, share: 0.6 } as const

/**
 * Refuses a size that no encode can reach, even if as much of the film is cut as may be. Its least size is told from samples at
 * another quality, so the real one may be larger.
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

/**
 * How often a film is encoded if its first result is larger than its source: by sharing its bytes out, or by trying qualities, of
 * which those that are far too large are stopped early where the pictures alone are counted.
 */
const whenLarger = { sharedOut: 2, tried: 3, stopped: 2.5 } as const

/** How often a film is likely to be encoded, by the bytes that its samples have; past jobs tell what a look at all pictures saves. */
function timesEncoded(plan: RenderPlan, { pictures, mayTake }: Seen): number | undefined {
  const { mostBytes = Infinity, remux, budget, codec } = plan
  if (budget && (canShareOut(codec) || !pictures || mayTake === undefined)) return undefined
  if (!pictures || remux) return 1
  const most =
    budget && mayTake !== undefined ? mayTake * goodShare.most : mostBytes - besideOf(plan)
  const chance =
    Math.log(pictures.most / Math.max(1, most)) / Math.log(pictures.most / pictures.least)
  const times = budget
    ? whenLarger.stopped
    : isSharedOut(plan)
      ? whenLarger.sharedOut
      : whenLarger.tried
  return 1 + (times - 1) * Math.min(1, Math.max(0, chance))
}

/** The copy that replaces an encode if that is larger: the source is stored as coarsely as was asked, or more so. */
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

/** Whether it is a copy whose cuts are found only during the work, as from what is said. */
export function mayBeCut({ video }: RenderPlan, { least, most }: Likely): boolean {
  return video === 'copy' && least < most
}

/** How much the seams that are not known yet add to a copy: their pictures take several times the bytes of stored ones. */
const withSeams: Likely = { likely: 1.25, least: 1, most: 1.8 }

/** A result that is limited to this many bytes never exceeds them. */
function noMoreThan(maxBytes: number, { likely, least, most }: Likely): Likely {
  const upTo = (bytes: number) => Math.min(bytes, maxBytes)
  return { likely: upTo(likely), least: upTo(least), most: upTo(most) }
}

/** The bytes of a copy that contains more than it shows. */
async function copiedBytes(planned: Planned): Promise<Likely | undefined> {
  const { plan } = planned
  if (plan.video !== 'copy' || plan.cutting) return undefined
  const stored = await copiedPictures(planned)
  if (!stored) return undefined
  const whole = { ...plan, durationSeconds: Math.max(stored.seconds, plan.durationSeconds) }
  return added(around(stored.bytes, 0), besideRange(whole))
}

async function seenPictures(planned: Planned, paces: Paces): Promise<Sampled | undefined> {
  const { plan, context } = planned
  if (!plan.cutting) return samplePictures(planned, paces)
  const bytes = await cutPictureBytes(context, plan.cutting)
  return bytes && { bytes }
}

/** The most bytes that keep a result no larger than its sources, which are counted in the stretches that it shows. */
async function mostPictureBytes({ plan, clips, context }: Planned): Promise<number | undefined> {
  const { budget } = plan
  if (!budget || context.isPartial) return undefined
  return tryForPlan(context, 'The bytes of the sources', async ({ tools }) =>
    bytesUpTo(budget, await seenBytes(tools, clips)),
  )
}

/** The bytes besides the pictures. An encoder keeps less well to the rate of a sound that is brief or simple. */
function besideRange(plan: RenderPlan): Likely {
  const sound = (plan.soundBits / 8) * plan.durationSeconds
  const tables = Math.max(0, besideOf(plan) - sound)
  const spread = plan.audio === 'encode' ? encodedSoundSpread : copiedSpread
  return added(around(sound, spread), around(tables, tablesSpread))
}
const encodedSoundSpread = 0.25
/** How much the size of tables varies: they are long if pictures are shown in another order than they are stored. */
const tablesSpread = 0.6

/** Rounds to as many digits as are meaningful to a reader. */
export function roundedResult(result: ForeseenResult): ForeseenResult {
  const { duration, sizeInBytes } = result
  return { ...result, duration: rounded(duration, 3), sizeInBytes: rounded(sizeInBytes, 0) }
}

const sounds: Readonly<Record<RenderPlan['audio'], ForeseenResult['sound']>> = {
  ...{ copy: 'copied', encode: 'encoded', none: 'none' },
}
/** At cuts, sound is encoded. */
const cutSounds = { ...sounds, copy: sounds.encode }

/** In a longer film, the mean rate is as good an answer, and reading every packet would take longer. */
const mostPackets = 300_000

type Stored = { readonly bytes: number; readonly seconds: number }

/**
 * The pictures of a copy whose file does not show all of them: it begins with the first key picture, and contains what is
 * hidden after that. Undefined if all are shown, because the size of the file is enough then.
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
