import { open } from 'node:fs/promises'
import path from 'node:path'
import { readIndex, type TrackIndex } from '../../cuts/mp4/read-index.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { GrowingColumn } from '../../ffmpeg/probe/growing-column.ts'
import { probeSections, type ProbeSection } from '../../ffmpeg/probe/probe-sections.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { Rendered } from '../render/run-plan.ts'
import type { Video } from '../../timeline/finished-video.ts'
import { topBoxes } from '../../cuts/mp4/boxes.ts'

/** The packets of one track in the order in which they are shown; seconds from the start of the film. */
export type ShownPackets = {
  readonly at: Float64Array
  readonly sizes: Float64Array
  /** Where each packet lies in the file; -1 if unknown. */
  readonly positions: Float64Array
  /** 1 if a decoder can begin with this packet. */
  readonly keys: Uint8Array
  /** When the last of them ends, if it says how long it is. */
  readonly endSeconds: number
}

/** When each key picture is shown. */
export function keyTimes({ at, keys }: ShownPackets): number[] {
  return [...at].filter((_, i) => keys[i] === 1)
}

/** What the tables of a finished film say, without decoding it. */
export type FilmTables = {
  readonly picture: ShownPackets
  /** The properties of the track of pictures, under the names that ffprobe gives them. */
  readonly said: ReadonlyMap<string, string>
  /** The kinds of side data with its pictures, such as those of HDR. */
  readonly messages: readonly string[]
  readonly sound: { readonly codec: string } | undefined
  readonly captionTracks: number
  /** The codec configuration of its pictures, if the index of an MP4 was read. */
  readonly description: Buffer | undefined
  /** When the film begins, in the times that its file stores; undefined if its index was not read. */
  readonly beginSeconds: number | undefined
  /** Whether the index stands before the pictures; undefined if the container has none. */
  readonly isIndexFirst: boolean | undefined
}

const streamEntries = [
  ...['index', 'codec_type', 'codec_name', 'codec_tag_string', 'profile', 'level', 'pix_fmt'],
  ...['width', 'height', 'sample_aspect_ratio'],
  ...['color_range', 'color_space', 'color_transfer', 'color_primaries'],
].join(',')
const asked = [
  '-show_entries',
  `stream=${streamEntries}:stream_side_data=side_data_type:format=start_time:packet=stream_index,pts_time,dts_time,duration_time,size,pos,flags`,
]

export async function readTables(
  tools: ToolContext,
  film: Video & Pick<Rendered, 'told'>,
): Promise<FilmTables> {
  const { name, facts, told } = film
  const { format, video, audio } = facts
  const file = path.join(tools.folder, name)
  const isMp4 = format === 'mp4' || format === 'mov'
  const index = isMp4 ? (await readIndex(file))?.[video.index] : undefined
  const known = told?.of === name ? index : undefined
  const { streams, picture: packets } =
    told && known
      ? { streams: told.streams, picture: inOrder(packetsShown(known), 0) }
      : await probeTables(tools, film)
  const streamOf = (index: number | undefined) =>
    streams.find((stream) => Number(stream.value('index')) === index)
  const picture = streamOf(video.index)
  const heard = streamOf(audio?.index)
  return {
    picture: packets,
    said: picture?.values() ?? new Map(),
    messages: (picture?.sideData() ?? []).flatMap((one) => one.get('side_data_type') ?? []),
    sound: heard && { codec: heard.value('codec_name') ?? '' },
    captionTracks: streams.filter((stream) => stream.value('codec_type') === 'subtitle').length,
    ...{ description: index?.description, beginSeconds: index?.beginSeconds },
    isIndexFirst: isMp4 ? await isIndexFirst(file) : undefined,
  }
}

async function probeTables(tools: ToolContext, { name, facts: { format, video } }: Video) {
  const columns = emptyColumns()
  const streams: ProbeSection[] = []
  let start = 0
  await probeSections(tools, { path: name, demuxer: demuxers[format] }, asked, (section) => {
    if (section.kind === 'stream') streams.push(section)
    else if (section.kind === 'format') start = Number(section.value('start_time')) || 0
    else if (section.kind === 'packet' && Number(section.value('stream_index')) === video.index)
      addPacket(columns, section)
  })
  return { streams, picture: inOrder(finished(columns), start) }
}

/** Packets that an edit list hides are not part of the film. */
function packetsShown({ hidden, at, lengths, ...track }: TrackIndex): PacketColumns {
  const isShown = (_: number, i: number): boolean => hidden[i] !== 1
  return {
    ...{ at: at.filter(isShown), lengths: lengths.filter(isShown) },
    ...{ sizes: track.sizes.filter(isShown), positions: track.positions.filter(isShown) },
    keys: track.keys.filter(isShown),
  }
}

/** Packets in the order in which they are stored. */
type PacketColumns = {
  readonly at: Float64Array
  readonly sizes: Float64Array
  readonly positions: Float64Array
  readonly lengths: Float64Array
  readonly keys: Uint8Array
}
type Columns = { readonly [Name in keyof PacketColumns]: GrowingColumn<PacketColumns[Name]> }

function emptyColumns(): Columns {
  const numbers = () => new GrowingColumn((memory) => new Float64Array(memory))
  return {
    ...{ at: numbers(), sizes: numbers(), positions: numbers(), lengths: numbers() },
    keys: new GrowingColumn((memory) => new Uint8Array(memory)),
  }
}

function addPacket(columns: Columns, section: ProbeSection): void {
  const flags = section.value('flags') ?? ''
  // AVI has only decoding times.
  const shown = Number(section.value('pts_time') ?? Number.NaN)
  const at = Number.isFinite(shown) ? shown : Number(section.value('dts_time') ?? Number.NaN)
  // An edit list leaves some packets out.
  if (flags.includes('D') || !Number.isFinite(at)) return
  columns.at.push(at)
  columns.sizes.push(Number(section.value('size')))
  columns.positions.push(Number(section.value('pos') ?? -1))
  columns.lengths.push(Number(section.value('duration_time')) || 0)
  columns.keys.push(flags.includes('K') ? 1 : 0)
}

function finished(columns: Columns): PacketColumns {
  return {
    at: columns.at.finish(),
    sizes: columns.sizes.finish(),
    positions: columns.positions.finish(),
    lengths: columns.lengths.finish(),
    keys: columns.keys.finish(),
  }
}

function inOrder(
  { at, sizes, positions, lengths, keys }: PacketColumns,
  start: number,
): ShownPackets {
  const order = Uint32Array.from(at, (_, i) => i).sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0))
  const last = order.at(-1) ?? 0
  return {
    at: Float64Array.from(order, (place) => (at[place] ?? 0) - start),
    sizes: Float64Array.from(order, (place) => sizes[place] ?? 0),
    positions: Float64Array.from(order, (place) => positions[place] ?? -1),
    keys: Uint8Array.from(order, (place) => keys[place] ?? 0),
    endSeconds: (at[last] ?? 0) + (lengths[last] ?? 0) - start,
  }
}

/** Reads the heads of the outermost boxes until the index or the pictures come. */
export async function isIndexFirst(file: string): Promise<boolean> {
  await using handle = await open(file)
  for await (const { type } of topBoxes(handle)) {
    if (type === 'moov' || type === 'mdat') return type === 'moov'
  }
  return false
}
