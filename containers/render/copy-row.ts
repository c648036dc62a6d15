import type { VideoFormat } from '../../worker/contract/video/sniff-format.ts'
import { filesInRow, streamOf, type Stream } from '../graph/filter-graph.ts'
import { fpsOf } from '../timeline/frame-rate.ts'
import { demuxers } from '../ffmpeg/measure-media.ts'
import type { Packing } from '../ffmpeg/measure-packing.ts'
import { nameProperty } from '../ffmpeg/probe/name-property.ts'
import type { Clip } from '../timeline/clip.ts'
import { timelineOf } from '../timeline/timeline.ts'
import { canCopyVideo } from './output/encoding.ts'
import { storedStream } from './stored-stream.ts'

/** A clip of a row, and the time at which it starts in the result. */
export type RowPart = {
  readonly path: string
  readonly packing: Packing
  readonly startSeconds: number
}

/** A row: the pictures of all clips, joined as stored. */
export type Row = {
  readonly picture: Stream<'video'>
  readonly parts: readonly RowPart[]
  /** When the last picture ends. */
  readonly endSeconds: number
}

export type RowChoice = { readonly row: Row } | { readonly why: string }

const listPath = 'row.txt'

/** Whether it is worth reading every packet to find out how the clips are stored. */
export function mayBeRow(clips: readonly Clip[], format: VideoFormat): boolean {
  return clips.length > 1 && unlikeFacts(clips, format) === undefined
}

/**
 * Joins similar clips without encoding them again, if one decoder with one set of parameters can go on from each to the
 * next and every picture keeps its time on the joined timeline. If not, says why.
 */
export function chooseRow(
  clips: readonly Clip[],
  packings: readonly Packing[] | undefined,
  format: VideoFormat,
): RowChoice {
  const unlike = unlikeFacts(clips, format)
  if (unlike !== undefined) return { why: unlike }
  if (!packings) return { why: 'their packets were not read' }
  const { clipFrames, frameRate } = timelineOf(clips)
  let frames = 0
  const parts = clips.flatMap((clip, i): RowPart[] => {
    const startSeconds = frames / fpsOf(frameRate)
    frames += clipFrames[i] ?? 0
    const packing = packings[i]
    const { from } = storedStream(clip.video)
    return packing ? [{ path: from.path, packing, startSeconds }] : []
  })
  const why = parts.length < clips.length ? 'not all clips were read' : unfitParts(parts, clips)
  if (why !== undefined) return { why }
  const [first] = clips
  const last = parts.at(-1)
  if (!first || !last) return { why: 'there is no clip' }
  const { video } = first.facts
  const files = parts.map(({ path, startSeconds }, i) => {
    const end = parts[i + 1]?.startSeconds ?? frames / fpsOf(frameRate)
    return { path, seconds: end - startSeconds }
  })
  const file = filesInRow(listPath, demuxers[first.facts.format], files)
  const lastEnd = clips.at(-1)?.facts.video.endSeconds ?? 0
  const endSeconds = last.startSeconds + lastEnd
  return { row: { picture: streamOf(file, 'video', video.index), parts, endSeconds } }
}

/** Compares what is known before the packets are read. */
function unlikeFacts(clips: readonly Clip[], format: VideoFormat): string | undefined {
  const [first, ...others] = clips
  if (!first) return 'there is no clip'
  // Without stored times, pictures could only be counted from clip to clip.
  if (format === 'avi') return 'AVI has no times of its own'
  const clear = clips.findIndex(({ facts }) => facts.video.hasAlpha)
  if (clear >= 0) return `files[${clear}] is transparent`
  const turned = clips.findIndex(({ facts }) => facts.video.ownTurn !== undefined)
  if (turned >= 0) return `files[${turned}] says in its pictures how they are turned`
  const at = clips.findIndex(({ facts }) => !canCopyVideo(facts, format))
  if (at >= 0) return `files[${at}] cannot be copied into ${format}`
  for (const [i, { facts }] of others.entries()) {
    const name = `files[${i + 1}]`
    const [a, b] = [first.facts.video, facts.video]
    if (first.facts.format !== facts.format) return `${name} is in another container`
    if (a.index !== b.index) return `${name} has its picture in another track`
    if (a.codec !== b.codec) return `${name} is ${b.codec}, not ${a.codec}`
    if (a.scan.kind !== b.scan.kind) return `${name} is ${b.scan.kind}, not ${a.scan.kind}`
    if (a.width !== b.width || a.height !== b.height) return `${name} is of another size`
    if (a.hasConstantRate !== b.hasConstantRate || !isSameRate(a.averageFps, b.averageFps, a)) {
      return `${name} has another frame rate`
    }
  }
  return undefined
}

/** Pictures with individual times need no common rate. */
function isSameRate(a: number, b: number, { hasConstantRate }: { hasConstantRate: boolean }) {
  return !hasConstantRate || Math.abs(a - b) / a < 0.001
}

/** Times are rounded to their time base, at worst to milliseconds. */
const roundingSeconds = 0.0011

function unfitParts(parts: readonly RowPart[], clips: readonly Clip[]): string | undefined {
  const halfFrame = 0.5 / fpsOf(timelineOf(clips).frameRate)
  for (const [i, { packing }] of parts.entries()) {
    const name = `files[${i}]`
    const other = unlikeStream(parts[0]?.packing, packing)
    if (other !== undefined) return `${name} differs in ${nameProperty(other)}`
    if (!packing.isWhole) return `${name} has too many pictures to compare`
    if (!packing.beginsWithKey || begunEarlier(packing)) return `${name} needs pictures before it`
    if (packing.hasDescriptions) return `${name} changes its coding in the middle`
    if (packing.hasHidden) return `${name} has pictures that its edit list leaves out`
    if ((packing.shownAt[0] ?? 0) > halfFrame + roundingSeconds) {
      return `the picture of ${name} begins after its sound`
    }
    if (overlaps(parts[i - 1], parts[i])) return `the pictures of ${name} come before their turn`
  }
  return undefined
}

function unlikeStream(a: Packing | undefined, b: Packing): string | undefined {
  const names = new Set([...(a?.stream.keys() ?? []), ...b.stream.keys()])
  return [...names].find((name) => a?.stream.get(name) !== b.stream.get(name))
}

/** Pictures that are shown before the first key picture refer to pictures that are missing. */
function begunEarlier({ shownAt }: Packing): boolean {
  const first = shownAt[0] ?? Number.NaN
  return !shownAt.every((at) => at >= first)
}

function overlaps(before: RowPart | undefined, after: RowPart | undefined): boolean {
  if (!before || !after) return false
  const gap = after.startSeconds - before.startSeconds
  const isInOrder = (times: (packing: Packing) => Float64Array): boolean =>
    (times(after.packing)[0] ?? 0) + gap > latest(times(before.packing))
  return !isInOrder(({ shownAt }) => shownAt) || !isInOrder(({ decodedAt }) => decodedAt)
}

function latest(times: Float64Array): number {
  return times.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY)
}
