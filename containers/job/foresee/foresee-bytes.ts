import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { bytesUpTo, leastQualities } from '../../render/output/byte-budget.ts'
import { crfOf } from '../../render/output/picture-codecs.ts'
import type { RenderPlan } from '../../render/plan-render.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { bitsOfPixel, loadOf, pictureBitsOf } from '../report/encoding-effort.ts'
import type { Work } from '../report/work-kinds.ts'

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
  const { beside, upTo } = boundsOf({ plan, clips, quality, maxBytes })
  if (plan.video === 'copy') {
    return { kind: 'bytes copied', units: Math.max(1, wholeBytes(plan, clips, beside)) }
  }
  const picture = (codedBits(plan, clips, quality) * durationSeconds) / 8
  return { kind: `bytes ${codec}`, units: Math.max(1, upTo(picture)) }
}

/** What a result takes beside its pictures, for its sound and its tables. */
export function besideOf({ format, soundBits, durationSeconds, averageFps }: RenderPlan): number {
  const { head, picture, sound, turn } = tableBytes[format === 'mov' ? 'mp4' : format]
  const turns = Math.min(averageFps, soundPackets)
  const sounding = soundBits > 0 ? soundBits / 8 + soundPackets * sound + turns * turn : 0
  return head + durationSeconds * (averageFps * picture + sounding)
}

/**
 * What a result takes beside its pictures, and how large it becomes if these would take that many bytes at the quality that was
 * asked for. `slack`: how far it may be above a bound that it keeps.
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

/** How many bytes a quality takes, in proportion to a usual one. */
export function qualityShare(quality: number): number {
  return crfShare(crfOf('h264', quality))
}

export function crfShare(crf: number): number {
  return 2 ** ((usualCrf - crf) / doublingCrf)
}

/** What a result of copies takes. One of a whole source takes as much as that, unless that holds a lot beside it. */
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
/** What a format writes in any case, of each picture and each packet of sound, and each time that one follows on the other. */
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

/** Bits a second of an encode at a quality, by what each of its sources has. */
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
