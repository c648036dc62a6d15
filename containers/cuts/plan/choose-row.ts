import type { VideoFormat } from '../../../worker/contract/video/sniff-format.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import type { Packing } from '../../ffmpeg/measure-packing.ts'
import { filesInRow, streamOf, type Stream } from '../../graph/filter-graph.ts'
import { storedStream } from '../../graph/stored-stream.ts'
import type { Clip, Clips } from '../../timeline/clip.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import type { JoinedPackets } from '../bits/packet-units.ts'
import { canCopyVideo } from './copied-codecs.ts'
import { joinPackings, type StoredClip } from './join-packings.ts'
import {
  beginsLate,
  faultOfClip,
  unfitRow,
  unlikeClips,
  unlikeFirst,
  unlikePacking,
} from './likeness.ts'

/** A row: the pictures of all clips, joined as stored. */
export type ClipRow = JoinedPackets & {
  readonly picture: Stream<'video'>
  /** When the last picture ends. */
  readonly endSeconds: number
}

export type RowChoice = { readonly row: ClipRow } | { readonly why: string }

const listPath = 'row.txt'

/** Whether it is worth reading every packet to find out how the clips are stored. */
export function mayBeRow(clips: readonly Clip[], format: VideoFormat): boolean {
  return clips.length > 1 && unlikeFacts(clips, format) === undefined
}

type RowClips = {
  readonly clips: Clips
  readonly timeline: Timeline
  /** How the pictures of each clip are stored, if that was measured. */
  readonly packings: readonly Packing[] | undefined
}

/**
 * Joins similar clips without encoding them again, if one decoder with one set of parameters can continue from each to the next
 * and every picture keeps its time on the joined timeline. Otherwise says why not.
 */
export function chooseRow({ clips, timeline, packings }: RowClips, format: VideoFormat): RowChoice {
  const unlike = unlikeFacts(clips, format)
  if (unlike !== undefined) return { why: unlike }
  const [first] = packings ?? []
  if (!packings || !first || packings.length < clips.length) {
    return { why: 'their packets were not read' }
  }
  const { frameRate } = timeline
  const stored = storedClips(clips, timeline)
  const unfit = faultOfClip(
    packings,
    (packing) =>
      unfitRow(packing) ?? unlikePacking(first, packing) ?? beginsLate(packing, frameRate),
  )
  if (unfit !== undefined) return { why: unfit }
  const joined = joinPackings(packings, stored, frameRate)
  const early = faultOfClip(joined.files, ({ from }, i) =>
    comesLater(joined.packing, joined.files[i - 1]?.from ?? from, from)
      ? undefined
      : 'has pictures that come before their turn',
  )
  if (early !== undefined) return { why: early }
  const rows = stored.map(({ path, frames }) => ({ path, seconds: frames / fpsOf(frameRate) }))
  const { format: container, video } = clips[0].facts
  const picture = streamOf(filesInRow(listPath, demuxers[container], rows), 'video', video.index)
  const lastEnd = clips.at(-1)?.facts.video.endSeconds ?? 0
  const endSeconds = (joined.files.at(-1)?.startSeconds ?? 0) + lastEnd
  return { row: { ...joined, picture, endSeconds } }
}

/** The clips of a timeline as their files store them. */
export function storedClips(
  [first, ...others]: Clips,
  { clipFrames }: Timeline,
): readonly [StoredClip, ...StoredClip[]] {
  const storedAs = ({ video, facts }: Clip, i: number): StoredClip => {
    return { path: storedStream(video).from.path, facts, frames: clipFrames[i] ?? 0 }
  }
  return [storedAs(first, 0), ...others.map((clip, i) => storedAs(clip, i + 1))]
}

/** Compares the facts that are known before the packets are read. */
function unlikeFacts(clips: readonly Clip[], format: VideoFormat): string | undefined {
  // Without stored times, pictures could only be counted from clip to clip.
  if (format === 'avi') return 'AVI has no times of its own'
  return (
    faultOfClip(clips, ({ facts }) => {
      if (facts.video.hasAlpha) return 'is transparent'
      if (facts.video.ownTurn !== undefined) return 'says in its pictures how they are turned'
      return canCopyVideo(facts, format) ? undefined : `cannot be copied into ${format}`
    }) ??
    unlikeClips(clips) ??
    faultOfClip(clips, ({ facts }) => unlikeFirst(clips[0]?.facts ?? facts, facts))
  )
}

/** Whether a clip begins to be shown and decoded after all packets of the clip before it. */
function comesLater({ shownAt, decodedAt }: Packing, before: number, from: number): boolean {
  return [shownAt, decodedAt].every((times) =>
    times.subarray(before, from).every((at) => at < (times[from] ?? Number.NaN)),
  )
}
