import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { clampSpans, totalLength } from '../../numbers/spans.ts'
import { keptSpans } from '../../timeline/frame-spans.ts'
import { clipSpans } from '../../timeline/timeline.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { Drawn } from './drawn-bytes.ts'
import { isNewer } from './picture-codecs.ts'

/**
 * How many bytes the pictures of a result may take so that they are no larger than those of its sources: as many as the sources
 * have in the same seconds, by the share of pixels that is kept, and those drawn over them.
 */
export type ByteBudget = {
  /** The stretches that the result shows, one after the other. */
  readonly stretches: readonly BudgetStretch[]
  /** How many seconds of the clips a second of the result shows. */
  readonly speed: number
  /** Bytes of sound that accompany each second of pictures. */
  readonly soundBytes: number
  /** What is drawn over the film, which its sources do not have. */
  readonly drawn: readonly Drawn[]
}

type BudgetStretch = {
  readonly clip: number
  /** In seconds of the clip. */
  readonly from: number
  readonly to: number
  /** Output bytes allowed per source byte. */
  readonly share: number
}

/** How many bytes H.264 may take for one of HEVC, and VP9 for one of AV1: an older codec needs more for the same look. */
const newerShare = 1.6

/** Each step of quality below 100 takes this share off the source's bytes, so that two qualities above them still differ. */
const lessPerQuality = 0.004

type Result = {
  readonly codec: VideoCodec
  /** The requested quality. */
  readonly quality: number
  readonly width: number
  readonly height: number
  readonly audioBits: number
}

type CutClips = CutTimeline & {
  readonly clips: readonly Pick<Clip, 'facts' | 'storedPixels'>[]
  readonly drawn: readonly Drawn[]
}

export function byteBudget(film: CutClips, result: Result): ByteBudget {
  const { clips, timeline, removed } = film
  const { frameRate, totalFrames } = timeline
  const fps = fpsOf(frameRate)
  const kept = keptSpans(removed.all, totalFrames)
  const look = 1 - (100 - result.quality) * lessPerQuality
  const codecShare = (codec = ''): number => (isNewer(codec, result.codec) ? newerShare : 1)
  const drawn = film.drawn.map(({ start, end, bytesPerSecond, codec }) => {
    return { start, end, bytesPerSecond: bytesPerSecond * look * codecShare(codec) }
  })
  const ofClips = clipSpans(timeline)
  const stretches = clips.flatMap(({ facts: { video }, storedPixels }, clip) => {
    const { from, to } = ofClips[clip] ?? { from: 0, to: 0 }
    const left = video.width * video.height
    const pixels = Math.min(left, result.width * result.height) / (storedPixels ?? left)
    const share = pixels * look * codecShare(video.codec)
    return clampSpans(kept, { from, to }).map((span) => ({
      ...{ clip, from: (span.from - from) / fps, to: (span.to - from) / fps, share },
    }))
  })
  return { stretches, speed: timeline.speed ?? 1, soundBytes: result.audioBits / 8, drawn }
}

/** The bytes that the pictures of the first seconds of a result may take. `seen` tells how many the pictures of each clip have. */
export function bytesUpTo(
  { stretches, speed, drawn }: Pick<ByteBudget, 'stretches' | 'speed' | 'drawn'>,
  seen: readonly ((seconds: number) => number)[],
  seconds = Number.POSITIVE_INFINITY,
): number {
  const ofDrawn = drawn.map(
    ({ start, end, bytesPerSecond }) =>
      Math.max(0, Math.min(end, seconds) - start) * bytesPerSecond,
  )
  let [bytes, left] = [ofDrawn.reduce((sum, one) => sum + one, 0), seconds * speed]
  for (const { clip, from, to, share } of stretches) {
    const end = Math.min(to, from + left)
    if (end <= from) break
    const bytesTo = seen[clip] ?? (() => 0)
    bytes += share * (bytesTo(end) - bytesTo(from))
    left -= end - from
  }
  return bytes
}

/** Sources declare their rates only roughly. */
const sureShare = 0.9

/** Whether pictures that never exceed a rate cannot exceed a budget either; they may if there is no rate. */
export function isKeptByRate(
  budget: ByteBudget,
  clips: readonly Pick<Clip, 'facts'>[],
  maxBitrate = Number.POSITIVE_INFINITY,
): boolean {
  const rates = clips.map(({ facts }) => facts.video.bitRate ?? 0)
  const seen = rates.map((bits) => (seconds: number) => (seconds * bits) / 8)
  const seconds = totalLength(budget.stretches) / budget.speed
  return (maxBitrate * seconds) / 8 <= bytesUpTo(budget, seen) * sureShare
}

export type TriedQuality = {
  readonly quality: number
  /** The share of the budget that it takes. */
  readonly share: number
  /** Whether it was stopped, so that the share is that of its beginning. */
  readonly isStopped?: boolean
}

/** A result between these shares of its budget is good: the lower one guards its look, the upper one its size. */
export const goodShare = { least: 0.9, wanted: 0.99, most: 1.05 } as const
/** The lowest qualities that are tried, whatever the budget: only very poorly coded sources come near them. */
export const leastQualities = { h264: 25, hevc: 25, vp9: 20, av1: 20 } as const
/** By how much the size grows from one quality to the next: usually, at least (a still screen), and at most. */
const growth = { usual: 1.034, least: 1.004, most: 1.08 } as const

/**
 * `grows`: by how much sizes grow from one quality to the next, if that is known before any was tried. `aim`: the share to aim
 * at.
 */
type QualitySearch = {
  readonly asked: number
  readonly codec: VideoCodec
  readonly grows?: number | undefined
  readonly aim?: number | undefined
}

/**
 * The quality to try next; undefined if no other quality would give a better result than the last. Sizes grow by about the same
 * share from one quality to the next; two tries show by how much.
 */
export function nextQuality(
  tried: readonly TriedQuality[],
  { asked, codec, grows = growth.usual, aim = goodShare.wanted }: QualitySearch,
): number | undefined {
  const last = tried.at(-1)
  if (!last) return asked
  const least = Math.min(asked, leastQualities[codec])
  const isTooMuch = last.share > goodShare.most && last.quality > least
  const isTooLittle = last.share < goodShare.least && last.quality < asked
  if (!isTooMuch && !isTooLittle) return undefined
  const before = tried.at(-2)
  // The beginning of a film may be very different from the whole.
  const isAlike = before && before.isStopped === last.isStopped
  const grown = isAlike ? growthOf(before, last) : grows
  const step = Math.log(aim / last.share) / Math.log(grown)
  return Math.min(asked, Math.max(least, last.quality + step))
}

export function growthOf(one: TriedQuality, other: TriedQuality): number {
  if (one.quality === other.quality) return growth.usual
  const grown = Math.log(other.share / one.share) / (other.quality - one.quality)
  return Math.min(growth.most, Math.max(growth.least, Math.exp(grown)))
}
