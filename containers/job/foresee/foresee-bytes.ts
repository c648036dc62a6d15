import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { bytesUpTo } from '../../render/output/byte-budget.ts'
import { crfOf } from '../../render/output/picture-codecs.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { bitsOfPixel, loadOf, pictureBitsOf } from '../report/encoding-effort.ts'
import type { Work } from '../report/work-ahead.ts'

/** What is known of a result before it is made. */
type Sized = { readonly plan: RenderPlan; readonly clips: readonly Clip[] } & {
  readonly quality: number
  readonly maxBytes?: number | undefined
  /** What the pictures may take so that the result is not larger than its sources, if their packets were counted. */
  readonly mayTake?: number | undefined
}

/**
 * The bytes of a result, as a work whose units are bytes: what past results took in place of the bytes that were expected
 * tells of the next ones.
 */
export function bytesWork({ plan, clips, quality, maxBytes }: Sized): Work {
  const { durationSeconds, codec } = plan
  const { beside, most } = boundsOf({ plan, clips, maxBytes })
  if (plan.video === 'copy') {
    return { kind: 'bytes copied', units: Math.max(1, wholeBytes(plan, clips, beside)) }
  }
  const picture = (codedBits(plan, clips, quality) * durationSeconds) / 8
  return { kind: `bytes ${codec}`, units: Math.max(1, Math.min(most, picture + beside)) }
}

/** What a result takes beside its pictures, for its sound and its tables; and the most that all of it may take. */
export function boundsOf({ plan, clips, maxBytes = Infinity, mayTake }: Omit<Sized, 'quality'>) {
  const { soundBits, durationSeconds, averageFps, mostBytes = Infinity } = plan
  const tables = averageFps * tableBytes + (soundBits > 0 ? soundTableBytes : 0)
  const beside = headBytes + durationSeconds * (soundBits / 8 + tables)
  const budget = mayTake ?? (budgetBits(plan, clips) * durationSeconds) / 8
  return { beside, most: Math.min(maxBytes, mostBytes, budget + beside) }
}

/** What a result of copies takes. One of a whole source takes as much as that, unless that holds a lot beside it. */
function wholeBytes(plan: RenderPlan, clips: readonly Clip[], beside: number): number {
  const { row, cutting, audio } = plan
  const counted = copiedBytes(plan, clips) + beside
  const [first, ...others] = clips
  const isWhole = !row && !cutting && others.length === 0 && audio !== 'encode'
  if (!first || !isWhole) return counted
  const { sizeBytes, promisedSeconds } = first.facts
  const isAlike = sizeBytes - counted < Math.max(leastBeside, sizeBytes * mostBeside)
  return isAlike || promisedSeconds !== undefined ? sizeBytes : counted
}
/** What MP4 writes of each picture, and of each second of sound. */
const tableBytes = 14
const soundTableBytes = 240
const headBytes = 1_500
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
/** A CRF that is lower by this doubles the bits. */
const doublingCrf = 6
/** What a pixel takes at that quality, of a source with one bit for each; the more bits it has, the smaller the share. */
const ofOneBit = 0.35
const detail = 0.7
/** Of a picture that is made smaller, each pixel says more. */
const smallerDetail = 0.25
const codecShare: Readonly<Record<VideoCodec, number>> = {
  h264: 1,
  hevc: 0.65,
  vp9: 0.65,
  av1: 0.5,
}

/** Bits a second of an encode at a quality, by what its source has. */
function codedBits(plan: RenderPlan, [first]: readonly Clip[], quality: number): number {
  if (!first) return 0
  const { width, height, averageFps, codec } = plan
  const { video } = first.facts
  const source = loadOf(first.facts)
  const smaller = (video.width * video.height) / Math.max(1, width * height)
  const perPixel =
    ofOneBit * bitsOfPixel(source) ** detail * Math.max(0.5, smaller) ** smallerDetail
  const finer = 2 ** ((usualCrf - crfOf('h264', quality)) / doublingCrf)
  return perPixel * finer * codecShare[codec] * width * height * averageFps
}

/** What keeps a result from being larger than its sources. */
function budgetBits({ budget, durationSeconds }: RenderPlan, clips: readonly Clip[]): number {
  if (!budget) return Infinity
  const seen = clips.map(
    ({ facts }) =>
      (seconds: number) =>
        (seconds * pictureBitsOf(facts)) / 8,
  )
  return (bytesUpTo(budget, seen) * 8) / Math.max(0.04, durationSeconds)
}
