import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { bytesUpTo, leastQualities } from '../../render/output/byte-budget.ts'
import { crfOf } from '../../render/output/picture-codecs.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { bitsOfPixel, loadOf, pictureBitsOf } from '../report/encoding-effort.ts'
import type { Work } from '../report/work-kinds.ts'

/** The facts of a result before it is made. */
type Sized = { readonly plan: RenderPlan; readonly clips: readonly Clip[] } & {
  readonly quality: number
  readonly maxBytes?: number | undefined
  /** The most bytes of pictures that keep the result no larger than its sources, if their packets were counted. */
  readonly mayTake?: number | undefined
}

/**
 * The bytes of a result, as a work whose units are bytes: by how much past results differed from their expected bytes is
 * applied to the next ones.
 */
export function bytesWork({ plan, clips, quality, maxBytes }: Omit<Sized, 'mayTake'>): Work {
  const { durationSeconds, codec } = plan
  const { beside, upTo } = boundsOf({ plan, clips, quality, maxBytes })
  if (plan.video === 'copy') {
    return { kind: 'bytes copied', units: Math.max(1, wholeBytes(plan, clips, beside)) }
  }
  const picture = (codedBits(plan, clips, quality) * durationSeconds) / 8
  return { kind: `bytes ${codec}`, units: Math.max(1, upTo(picture)) }
}

/** The bytes that a result takes besides its pictures, for its sound and its tables. */
export function besideOf({ format, soundBits, durationSeconds, averageFps }: RenderPlan): number {
  const { head, picture, sound, turn } = tableBytes[format === 'mov' ? 'mp4' : format]
  const turns = Math.min(averageFps, soundPackets)
  const sounding = soundBits > 0 ? soundBits / 8 + soundPackets * sound + turns * turn : 0
  return head + durationSeconds * (averageFps * picture + sounding)
}

/**
 * The bytes that a result takes besides its pictures, and its bounds if these took that many bytes at the requested quality.
 * `slack`: how far it may exceed a bound that it keeps.
 */
export function boundsOf({ plan, clips, quality, maxBytes = Infinity, mayTake }: Sized) {
  const { durationSeconds, codec, mostBytes = Infinity } = plan
  const beside = besideOf(plan)
  const budget = (mayTake ?? (budgetBits(plan, clips) * durationSeconds) / 8) + beside
  // No picture may look worse than at the lowest quality, however few bytes its source has.
  const worst = qualityShare(leastQualities[codec]) / qualityShare(quality)
  const upTo = (pictures: number, slack = 1): number => {
    const bound = Math.max(budget * slack, pictures * Math.min(1, worst) + beside)
    return Math.min(pictures + beside, bound, Math.min(maxBytes, mostBytes) * slack)
  }
  return { beside, upTo }
}

/** The bytes of a quality in proportion to a usual one. */
export function qualityShare(quality: number): number {
  return crfShare(crfOf('h264', quality))
}

export function crfShare(crf: number): number {
  return 2 ** ((usualCrf - crf) / doublingCrf)
}

/** The bytes of a copied result. A copy of a whole source is as large as that, unless the source contains much else. */
function wholeBytes(plan: RenderPlan, clips: readonly Clip[], beside: number): number {
  const { row, cutting, audio } = plan
  const counted = copiedBytes(plan, clips) + beside
  const [first, ...others] = clips
  const isHeard = audio === 'copy' || (audio === 'none' && !first?.facts.audio)
  const isWhole = !row && !cutting && others.length === 0 && isHeard
  if (!first || !isWhole) return counted
  const { sizeBytes, promisedSeconds } = first.facts
  const isAlike = sizeBytes - counted < Math.max(leastBeside, sizeBytes * mostBeside)
  return isAlike || promisedSeconds !== undefined ? sizeBytes : counted
}
const soundPackets = 45
/** The bytes that a format always writes, for each picture, for each packet of sound, and whenever one follows the other. */
const tableBytes = {
  mp4: { head: 1_500, picture: 9, sound: 4, turn: 17 },
  webm: { head: 500, picture: 8, sound: 8, turn: 0 },
  avi: { head: 6_000, picture: 28, sound: 28, turn: 0 },
}
const leastBeside = 20_000
const mostBeside = 0.15

/** The stored pictures of all clips, as far as they are kept. */
function copiedBytes({ durationSeconds }: RenderPlan, clips: readonly Clip[]): number {
  const stored = clips.reduce((sum, { facts }) => sum + pictureBitsOf(facts) * secondsOf(facts), 0)
  const seconds = clips.reduce((sum, { facts }) => sum + secondsOf(facts), 0)
  return (stored / 8) * Math.min(1, durationSeconds / Math.max(seconds, 0.04))
}

function secondsOf({ video, durationSeconds }: MediaFacts): number {
  return Math.max(0.04, video.endSeconds || durationSeconds)
}

/** A quality whose results need about as many bits as good footage on the web has. */
const usualCrf = 23
/** Lowering the CRF by this much doubles the bits. */
const doublingCrf = 6
/** The bits of a pixel at that quality for a source with one bit a pixel; the more bits it has, the smaller their share. */
const ofOneBit = 0.35
const detail = 0.7
/** In a picture that is made smaller, each pixel contains more detail. */
const smallerDetail = 0.25
const codecShare: Readonly<Record<VideoCodec, number>> = {
  h264: 1,
  hevc: 0.65,
  vp9: 0.65,
  av1: 0.5,
}

/** The bits a second of an encode at a quality, by the bits of each of its sources. */
function codedBits(plan: RenderPlan, clips: readonly Clip[], quality: number): number {
  const seconds = clips.reduce((sum, { facts }) => sum + secondsOf(facts), 0)
  const ofAll = clips.reduce((sum, { facts }) => sum + clipBits(plan, facts) * secondsOf(facts), 0)
  return (ofAll / Math.max(0.04, seconds)) * qualityShare(quality) * codecShare[plan.codec]
}

function clipBits({ width, height, averageFps }: RenderPlan, facts: MediaFacts): number {
  const { video } = facts
  const smaller = (video.width * video.height) / Math.max(1, width * height)
  const perPixel =
    ofOneBit * bitsOfPixel(loadOf(facts)) ** detail * Math.max(0.5, smaller) ** smallerDetail
  return perPixel * width * height * averageFps
}

/** The most bits a second that keep a result no larger than its sources. */
function budgetBits({ budget, durationSeconds }: RenderPlan, clips: readonly Clip[]): number {
  if (!budget) return Infinity
  const seen = clips.map(
    ({ facts }) =>
      (seconds: number) =>
        (seconds * pictureBitsOf(facts)) / 8,
  )
  return (bytesUpTo(budget, seen) * 8) / Math.max(0.04, durationSeconds)
}
