import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import type { Packing } from '../../ffmpeg/measure-packing.ts'
import { nameProperty } from '../../ffmpeg/probe/name-property.ts'
import { CutFault } from '../cut-fault.ts'

/** One of the files of a timeline. */
export type StoredClip = {
  /** Name inside the job folder. */
  readonly path: string
  readonly facts: MediaFacts
  /** Its length on the timeline, in pictures of the steady rate. */
  readonly frames: number
}

/** Why clips cannot be cut as one film, as far as that is known before their packets are read. */
export function unlikeClips(clips: readonly StoredClip[]): string | undefined {
  const [first] = clips
  const found = clips.map(({ facts: { format, video } }): string | undefined => {
    if (!first) return undefined
    if (video.codec !== first.facts.video.codec) {
      return `is ${video.codec}, not ${first.facts.video.codec}`
    }
    const { width, height } = first.facts.video
    if (video.width !== width || video.height !== height) return 'is of another size'
    const isOtherFamily = isWebm(format) !== isWebm(first.facts.format)
    return isOtherFamily ? 'is in another container' : undefined
  })
  return firstOf(found)
}

function isWebm(format: MediaFacts['format']): boolean {
  return format === 'webm'
}

/** What may differ from clip to clip, because times are counted in the ticks of the result. */
const ownProperties = ['time_base']

/** Why the packets of clips cannot stand in one film. */
export function unlikePackings(
  packings: readonly Packing[],
  { frameRate }: { frameRate: FrameRate },
): string | undefined {
  const [first] = packings
  const mostLate = 0.5 / fpsOf(frameRate) + roundingSeconds
  const found = packings.map((packing, i): string | undefined => {
    if (!first || i === 0) return undefined
    const names = new Set([...first.stream.keys(), ...packing.stream.keys()])
    const other = [...names].find(
      (name) =>
        !ownProperties.includes(name) && first.stream.get(name) !== packing.stream.get(name),
    )
    if (other !== undefined) return `differs in ${nameProperty(other)}`
    if (!packing.beginsWithKey) return 'needs pictures before its first one'
    const begin = packing.shownAt.reduce(
      (least, at, packet) => (packing.hidden[packet] === 0 ? Math.min(least, at) : least),
      Number.POSITIVE_INFINITY,
    )
    return begin <= mostLate ? undefined : 'shows its first picture after its sound has begun'
  })
  return firstOf(found)
}

/** Times are rounded to their time base, at worst to milliseconds. */
const roundingSeconds = 0.0011

/** The first fault, with the name of the clip that has it. */
function firstOf(faults: readonly (string | undefined)[]): string | undefined {
  const at = faults.findIndex((fault) => fault !== undefined)
  return at < 0 ? undefined : `files[${at}] ${faults[at]}`
}

/**
 * The packets of all clips, at their times on the timeline. As in an encode, pictures that come after the length which
 * their clip has there are not shown.
 */
export function joinPackings(
  packings: readonly [Packing, ...Packing[]],
  clips: readonly StoredClip[],
  frameRate: FrameRate,
): Packing {
  const [first, ...others] = packings
  if (others.length === 0) return first
  const fps = fpsOf(frameRate)
  const starts = startFrames(clips)
  const isOver = (at: number, clip: number): boolean =>
    Math.round(at * fps) >= (clips[clip]?.frames ?? 0)
  return {
    stream: first.stream,
    shownAt: column(Float64Array, packings, ({ shownAt }, i) =>
      shownAt.map((at) => at + (starts[i] ?? 0) / fps),
    ),
    sizes: column(Float64Array, packings, ({ sizes }) => sizes),
    positions: column(Float64Array, packings, ({ positions }) => positions),
    sums: sumsOf(packings),
    keys: column(Uint8Array, packings, ({ keys }) => keys),
    hidden: column(Uint8Array, packings, ({ hidden, shownAt }, i) =>
      hidden.map((one, packet) => (one === 1 || isOver(shownAt[packet] ?? 0, i) ? 1 : 0)),
    ),
    decodedAt: new Float64Array(0),
    beginsWithKey: first.beginsWithKey,
    hasHidden: packings.some(({ hasHidden }) => hasHidden),
    isWhole: packings.every(({ isWhole }) => isWhole),
    hasDescriptions: packings.some(({ hasDescriptions }) => hasDescriptions),
  }
}

function sumsOf(packings: readonly Packing[]): Float64Array | undefined {
  if (packings.some(({ sums }) => sums === undefined)) return undefined
  return column(Float64Array, packings, ({ sums }) => sums ?? new Float64Array(0))
}

type Column = Float64Array | Uint8Array

function column<Kind extends Column>(
  Kind: new (length: number) => Kind,
  packings: readonly Packing[],
  of: (packing: Packing, clip: number) => Kind,
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
function startFrames(clips: readonly StoredClip[]): number[] {
  let before = 0
  return clips.map(({ frames }) => (before += frames) - frames)
}

/** No kept part reaches across the end of a clip. */
export function keptOfClips(kept: readonly FrameSpan[], clips: readonly StoredClip[]): FrameSpan[] {
  const spans = startFrames(clips).map((from, i) => ({ from, to: from + (clips[i]?.frames ?? 0) }))
  return kept.flatMap((part) =>
    spans
      .map(({ from, to }) => ({ from: Math.max(from, part.from), to: Math.min(to, part.to) }))
      .filter(({ from, to }) => from < to),
  )
}

/**
 * Ticks in a second in which all times are whole, or enough of them that nobody sees what rounding moves. They are more
 * than those of the source if its ticks are too coarse for that.
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
/** A picture may stand for an hour, and its ticks have to fit into 32 bits. */
const mostTimescale = 1_000_000
