import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { Joint, KeptPiece } from '../../timeline/joints.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { Packing } from '../../ffmpeg/measure-packing.ts'
import type { CutFile, JoinedPackets } from '../bits/packet-units.ts'
import { CutFault } from '../cut-fault.ts'
import type { KeptStretch } from './kept-pictures.ts'

/** One of the files of a timeline. */
export type StoredClip = {
  /** Name inside the job folder. */
  readonly path: string
  readonly facts: MediaFacts
  /** Its length on the timeline, in pictures of the steady rate. */
  readonly frames: number
}

/**
 * Puts the packets of all clips at their times on the timeline. As in an encode, pictures after the end of their clip's length
 * there count as hidden.
 */
export function joinPackings(
  packings: readonly Packing[],
  clips: readonly StoredClip[],
  frameRate: FrameRate,
): JoinedPackets {
  const fps = fpsOf(frameRate)
  const starts = startFrames(clips).map((frames) => frames / fps)
  let before = 0
  const [file, ...rest] = clips.map(({ path }, i): CutFile => {
    const from = before
    before += packings[i]?.sizes.length ?? 0
    return { path, from, startSeconds: starts[i] ?? 0 }
  })
  const [first, ...others] = packings
  if (!file || !first) throw new Error('A join of no file')
  const files = [file, ...rest] as const
  if (others.length === 0) return { files, packing: first }
  const isOver = (at: number, clip: number): boolean =>
    Math.round(at * fps) >= (clips[clip]?.frames ?? 0)
  const onTimeline = (times: Float64Array, i: number) => times.map((at) => at + (starts[i] ?? 0))
  const hasSums = packings.every(({ sums }) => sums !== undefined)
  const packing = {
    stream: first.stream,
    shownAt: column(Float64Array, packings, ({ shownAt }, i) => onTimeline(shownAt, i)),
    decodedAt: column(Float64Array, packings, ({ decodedAt }, i) => onTimeline(decodedAt, i)),
    sizes: column(Float64Array, packings, ({ sizes }) => sizes),
    positions: column(Float64Array, packings, ({ positions }) => positions),
    sums: hasSums ? column(Float64Array, packings, ({ sums = [] }) => sums) : undefined,
    keys: column(Uint8Array, packings, ({ keys }) => keys),
    hidden: column(Uint8Array, packings, ({ hidden, shownAt }, i) =>
      hidden.map((one, packet) => (one === 1 || isOver(shownAt[packet] ?? 0, i) ? 1 : 0)),
    ),
    beginsWithKey: first.beginsWithKey,
    hasHidden: packings.some(({ hasHidden }) => hasHidden),
    isWhole: packings.every(({ isWhole }) => isWhole),
    hasDescriptions: packings.some(({ hasDescriptions }) => hasDescriptions),
  }
  return { files, packing }
}

function column<Kind extends Float64Array | Uint8Array>(
  Kind: new (length: number) => Kind,
  packings: readonly Packing[],
  of: (packing: Packing, clip: number) => ArrayLike<number>,
): Kind {
  const joined = new Kind(packings.reduce((sum, { sizes }) => sum + sizes.length, 0))
  let at = 0
  packings.forEach((packing, i) => {
    joined.set(of(packing, i), at)
    at += packing.sizes.length
  })
  return joined
}

/** Where each clip begins on the timeline. */
export function startFrames(clips: readonly StoredClip[]): number[] {
  let before = 0
  return clips.map(({ frames }) => (before += frames) - frames)
}

/** The pieces in the order of the result. No kept part reaches across the end of a clip; transitions do. */
export function stretchesOf(
  kept: readonly KeptPiece[],
  joints: readonly Joint[],
  clips: readonly StoredClip[],
): KeptStretch[] {
  const spans = startFrames(clips).map((from, i) => ({ from, to: from + (clips[i]?.frames ?? 0) }))
  const into = new Map(joints.map((joint) => [joint.to, joint]))
  const outOf = new Map(joints.map((joint) => [joint.from, joint]))
  return kept.flatMap((piece) => {
    const joint = into.get(piece.from)
    const own = {
      from: piece.from + piece.overlap,
      to: piece.to - (outOf.get(piece.to)?.frames ?? 0),
    }
    const parts = spans
      .map(({ from, to }) => ({ from: Math.max(from, own.from), to: Math.min(to, own.to) }))
      .filter(({ from, to }) => from < to)
    return joint ? [joint, ...parts] : parts
  })
}

/**
 * Ticks in a second that make all times whole, or enough of them that rounding is invisible. They are more than those of the
 * source if its ticks are too coarse for that.
 */
export function timescaleFor(packings: readonly Packing[]): number {
  const each = packings.map(({ stream }) => {
    const [over = 0, under = 0] = (stream.get('time_base') ?? '').split('/').map(Number)
    if (over !== 1 || !(under > 0)) throw new CutFault('its times are of an unusual kind')
    return under
  })
  const common = each.reduce((a, b) => (a / commonDivisor(a, b)) * b, 1)
  let timescale = common <= mostTimescale ? common : Math.max(...each)
  while (timescale < leastTimescale) timescale *= 2
  return timescale
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b)
}

const leastTimescale = 10_000
/** A picture may be shown for an hour, and its ticks have to fit into 32 bits. */
const mostTimescale = 1_000_000
