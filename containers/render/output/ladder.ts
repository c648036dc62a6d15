import { usualHeights } from '../../../worker/contract/options/outputs/output-hls.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import { nearestEven } from '../../numbers/nearest-even.ts'

/** One size of a stream. `name` is its shorter side: the height of a wide film and the width of a tall one. */
export type Rung = Size & { readonly name: number }

export type Ladder = {
  /** From the largest to the smallest. */
  readonly rungs: readonly [Rung, ...Rung[]]
  /** Requested heights that the film does not have. */
  readonly leftOut: readonly number[]
}

/** Two sizes that differ by less look the same. */
const leastStep = 1.15

/**
 * The sizes of a stream for a film with this frame. None is larger than the film: its own size replaces all that would be,
 * unless that is close to one of the others.
 */
export function ladderOf(frame: Size, heights: readonly number[] | undefined): Ladder {
  const own = Math.min(frame.width, frame.height)
  const wanted = (heights ?? usualHeights).toSorted((a, b) => b - a)
  const held = wanted.filter((height) => height <= own)
  const leftOut = wanted.filter((height) => height > own)
  const isNamed = leftOut.length > 0 && own >= (held[0] ?? 0) * leastStep
  const names = isNamed || held.length === 0 ? [own, ...held] : held
  const [first = own, ...others] = names
  const rungs = [rungOf(frame, first), ...others.map((name) => rungOf(frame, name))] as const
  return { rungs: [...rungs], leftOut: heights === undefined ? [] : leftOut }
}

function rungOf(frame: Size, name: number): Rung {
  const factor = name / Math.min(frame.width, frame.height)
  const side = (pixels: number, most: number) => nearestEven(pixels * factor, most)
  return { name, width: side(frame.width, frame.width), height: side(frame.height, frame.height) }
}

export function sayLeftOut({ rungs: [largest], leftOut }: Ladder): string[] {
  if (leftOut.length === 0) return []
  const which = leftOut.join(', ')
  return [
    `heights: ${which} left out, because the film is smaller; its largest size is ${largest.width} × ${largest.height}.`,
  ]
}

/** Kilobits a second of 1080p at up to 30 pictures a second, as Apple advises for H.264. */
const kilobitsAt1080 = 7_800
const pixelsOf1080 = 1920 * 1080
/** Smaller pictures need somewhat more bits a pixel. */
const growth = 0.9
/** How many times the bits of its source a stream may take in moments of much motion, and at least which share of the usual cap. */
const sourceShare = { times: 2, least: 0.25 }

type LadderSource = Size & { readonly bitRate?: number | undefined }

/**
 * The most bits a second that a size may take, so that its name tells which networks it suits. If the source has few bits, a
 * stream needs no more.
 */
export function mostBits({ width, height }: Size, fps: number, source: LadderSource): number {
  const usual =
    1000 *
    kilobitsAt1080 *
    ((width * height) / pixelsOf1080) ** growth *
    Math.sqrt(Math.max(1, fps / 30))
  const pixels = Math.min(1, (width * height) / (source.width * source.height))
  const had = (source.bitRate ?? Infinity) * sourceShare.times * pixels ** growth
  return Math.round(Math.min(usual, Math.max(had, usual * sourceShare.least)))
}
