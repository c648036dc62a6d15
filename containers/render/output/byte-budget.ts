import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { clampSpans } from '../../numbers/spans.ts'
import { keptSpans } from '../../timeline/frame-spans.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { Drawn } from './drawn-bytes.ts'
import { isNewer } from './picture-codecs.ts'

/**
 * How many bytes the picture of a result may take so that it is not larger than that of its sources: for the same seconds
 * as many as they have, by the pixels that are kept of them, and what is drawn over them.
 */
export type ByteBudget = {
  /** What the result shows, one stretch after the other. */
  readonly stretches: readonly BudgetStretch[]
  /** How many seconds of the clips a second of the result shows. */
  readonly speed: number
  /** Bytes of sound that are written with each second of the picture. */
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

/** So much less of the source's bytes for each quality below 100: two that would both be larger still differ. */
const lessPerQuality = 0.004

type Result = {
  readonly codec: VideoCodec
  /** As it was asked for. */
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
  const { frameRate, clipFrames, totalFrames } = timeline
  const fps = fpsOf(frameRate)
  const kept = keptSpans(removed.all, totalFrames)
  const look = 1 - (100 - result.quality) * lessPerQuality
  const codecShare = (codec = ''): number => (isNewer(codec, result.codec) ? newerShare : 1)
  const drawn = film.drawn.map(({ start, end, bytesPerSecond, codec }) => {
    return { start, end, bytesPerSecond: bytesPerSecond * look * codecShare(codec) }
  })
  let begin = 0
  const stretches = clips.flatMap(({ facts: { video }, storedPixels }, clip) => {
    const [from, to] = [begin, begin + (clipFrames[clip] ?? 0)]
    begin = to
    const left = video.width * video.height
    const pixels = Math.min(left, result.width * result.height) / (storedPixels ?? left)
    const share = pixels * look * codecShare(video.codec)
    return clampSpans(kept, { from, to }).map((span) => ({
      ...{ clip, from: (span.from - from) / fps, to: (span.to - from) / fps, share },
    }))
  })
  return { stretches, speed: timeline.speed ?? 1, soundBytes: result.audioBits / 8, drawn }
}

/** The bytes that the picture of the first seconds of a result may take. `seen` tells how many the picture of each clip has. */
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

/** Sources tell their rates roughly. */
const sureShare = 0.9

/** Whether pictures that exceed a rate in no second cannot take more than a budget either; without one, they may. */
export function isKeptByRate(
  budget: ByteBudget,
  clips: readonly Pick<Clip, 'facts'>[],
  maxBitrate = Number.POSITIVE_INFINITY,
): boolean {
  const rates = clips.map(({ facts }) => facts.video.bitRate ?? 0)
  const seen = rates.map((bits) => (seconds: number) => (seconds * bits) / 8)
  const seconds = budget.stretches.reduce((sum, { from, to }) => sum + to - from, 0) / budget.speed
  return (maxBitrate * seconds) / 8 <= bytesUpTo(budget, seen) * sureShare
}

export type TriedQuality = {
  readonly quality: number
  /** The part of the budget. */
  readonly share: number
  /** Whether it was stopped, so that its share is that of its beginning. */
  readonly isStopped?: boolean
}

/** Results between these shares of their budget are good: the lower one keeps the look, the upper one the size. */
export const goodShare = { least: 0.9, wanted: 0.99, most: 1.05 } as const
/** The lowest that are tried, whatever the budget is: only sources that were coded very poorly come near them. */
export const leastQualities = { h264: 25, hevc: 25, vp9: 20, av1: 20 } as const
/** By how much a result grows from one quality to the next: usually, at least (of a still screen), and at most. */
const growth = { usual: 1.034, least: 1.004, most: 1.08 } as const

/**
 * `grows`: by how much results grow from one quality to the next, if that is known before one was tried. `aim`: the share that
 * is aimed at.
 */
type Search = {
  readonly asked: number
  readonly codec: VideoCodec
  readonly grows?: number | undefined
  readonly aim?: number | undefined
}

/**
 * Which quality to try next: undefined if the last result is as good as any will be. Sizes grow by about the same share
 * from one quality to the next, by how much shows once two were tried.
 */
export function nextQuality(
  tried: readonly TriedQuality[],
  { asked, codec, grows = growth.usual, aim = goodShare.wanted }: Search,
): number | undefined {
  const last = tried.at(-1)
  if (!last) return asked
  const least = Math.min(asked, leastQualities[codec])
  const isTooMuch = last.share > goodShare.most && last.quality > least
  const isTooLittle = last.share < goodShare.least && last.quality < asked
  if (!isTooMuch && !isTooLittle) return undefined
  const before = tried.at(-2)
  // The beginning of a film may be nothing like the whole.
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
