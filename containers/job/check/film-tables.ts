import { open } from 'node:fs/promises'
import path from 'node:path'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { GrowingColumn } from '../../ffmpeg/probe/growing-column.ts'
import { probeSections, type ProbeSection } from '../../ffmpeg/probe/probe-sections.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { Video } from '../../timeline/finished-video.ts'

/** The packets of one track in the order in which they are shown; seconds from the start of the film. */
export type Packets = {
  readonly at: Float64Array
  readonly sizes: Float64Array
  /** Where they lie in the file; -1 if that is not told. */
  readonly positions: Float64Array
  /** 1 if a decoder can begin with the packet. */
  readonly keys: Uint8Array
  /** When the last of them ends, if it says how long it is. */
  readonly endSeconds: number
}

/** What the tables of a finished film say, without decoding any of it. */
export type FilmTables = {
  readonly picture: Packets
  /** The properties of the track of pictures, under the names that ffprobe gives them. */
  readonly said: ReadonlyMap<string, string>
  /** The kinds of messages beside its pictures, such as those of HDR. */
  readonly messages: readonly string[]
  readonly sound: { readonly packets: Packets; readonly codec: string } | undefined
  readonly captionTracks: number
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
  context: ToolContext,
  { name, facts: { format, video, audio } }: Video,
): Promise<FilmTables> {
  const columns = new Map<number, Columns>()
  const streams: ProbeSection[] = []
  let start = 0
  await probeSections(context, { path: name, demuxer: demuxers[format] }, asked, (section) => {
    if (section.kind === 'stream') streams.push(section)
    else if (section.kind === 'format') start = Number(section.value('start_time')) || 0
    else if (section.kind === 'packet') addPacket(columns, section)
  })
  const streamOf = (index: number | undefined) =>
    streams.find((stream) => Number(stream.value('index')) === index)
  const picture = streamOf(video.index)
  const heard = streamOf(audio?.index)
  const isMp4 = format === 'mp4' || format === 'mov'
  return {
    picture: inOrder(columns.get(video.index), start),
    said: picture?.values() ?? new Map(),
    messages: (picture?.sideData() ?? []).flatMap((one) => one.get('side_data_type') ?? []),
    sound: heard && {
      packets: inOrder(columns.get(audio?.index ?? -1), start),
      codec: heard.value('codec_name') ?? '',
    },
    captionTracks: streams.filter((stream) => stream.value('codec_type') === 'subtitle').length,
    isIndexFirst: isMp4 ? await isIndexFirst(path.join(context.folder, name)) : undefined,
  }
}

type Columns = {
  readonly at: GrowingColumn<Float64Array>
  readonly sizes: GrowingColumn<Float64Array>
  readonly positions: GrowingColumn<Float64Array>
  readonly lengths: GrowingColumn<Float64Array>
  readonly keys: GrowingColumn<Uint8Array>
}

function addPacket(columns: Map<number, Columns>, section: ProbeSection): void {
  const index = Number(section.value('stream_index'))
  const flags = section.value('flags') ?? ''
  // AVI has no other times than those of decoding.
  const shown = Number(section.value('pts_time') ?? Number.NaN)
  const at = Number.isFinite(shown) ? shown : Number(section.value('dts_time') ?? Number.NaN)
  // An edit list leaves some packets out.
  if (flags.includes('D') || !Number.isFinite(at)) return
  const numbers = () => new GrowingColumn((memory) => new Float64Array(memory))
  const known = columns.get(index) ?? {
    ...{ at: numbers(), sizes: numbers(), positions: numbers(), lengths: numbers() },
    keys: new GrowingColumn((memory) => new Uint8Array(memory)),
  }
  columns.set(index, known)
  known.at.push(at)
  known.sizes.push(Number(section.value('size')))
  known.positions.push(Number(section.value('pos') ?? -1))
  known.lengths.push(Number(section.value('duration_time')) || 0)
  known.keys.push(flags.includes('K') ? 1 : 0)
}

function inOrder(columns: Columns | undefined, start: number): Packets {
  const stored = columns?.at.finish() ?? new Float64Array()
  const order = Uint32Array.from(stored, (_, i) => i).sort(
    (a, b) => (stored[a] ?? 0) - (stored[b] ?? 0),
  )
  const { sizes, positions, lengths, keys } = finished(columns)
  const last = order.at(-1) ?? 0
  return {
    at: Float64Array.from(order, (place) => (stored[place] ?? 0) - start),
    sizes: Float64Array.from(order, (place) => sizes?.[place] ?? 0),
    positions: Float64Array.from(order, (place) => positions?.[place] ?? -1),
    keys: Uint8Array.from(order, (place) => keys?.[place] ?? 0),
    endSeconds: (stored[last] ?? 0) + (lengths?.[last] ?? 0) - start,
  }
}

function finished(columns: Columns | undefined) {
  return {
    sizes: columns?.sizes.finish(),
    positions: columns?.positions.finish(),
    lengths: columns?.lengths.finish(),
    keys: columns?.keys.finish(),
  }
}

/** Reads the heads of the outermost boxes, up to the first of the two. */
export async function isIndexFirst(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const head = Buffer.alloc(16)
    for (let at = 0; ;) {
      const { bytesRead } = await handle.read(head, 0, 16, at)
      if (bytesRead < 8) return false
      const type = head.toString('latin1', 4, 8)
      if (type === 'moov' || type === 'mdat') return type === 'moov'
      const short = head.readUInt32BE(0)
      const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short
      if (size < 8) return false
      at += size
    }
  } finally {
    await handle.close()
  }
}
