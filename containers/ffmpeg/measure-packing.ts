import type { MediaFacts, VideoFacts } from '../timeline/media-facts.ts'
import { GrowingColumn } from './probe/growing-column.ts'
import { probeSections, type ProbeSection } from './probe/probe-sections.ts'
import { demuxers } from './measure-media.ts'
import type { ToolContext } from './process/run-tool.ts'

/** The packets of a track, in decoding order. */
export type Packets = {
  /** Seconds from the start of the file. */
  readonly shownAt: Float64Array
  readonly sizes: Float64Array
  /** Where each packet begins in the file, in bytes; NaN if that is not known. */
  readonly positions: Float64Array
  /** A part of the hash of each packet's bytes, if that was asked for. */
  readonly sums?: Float64Array | undefined
  /** 1 if a decoder can begin with the packet. */
  readonly keys: Uint8Array
  /** 1 if an edit list leaves the packet out: it is decoded, but not shown. */
  readonly hidden: Uint8Array
  /** Whether some packets need a further description, which a copy would lose. */
  readonly hasDescriptions: boolean
  /** Whether all packets were read: the file has no more than were asked for. */
  readonly isWhole: boolean
}

/** How the pictures of a file are stored: what has to be known before their packets are copied unchanged. */
export type Packing = Packets & {
  /** The properties of the whole stream and of its decoder, under the names that ffprobe gives them. */
  readonly stream: ReadonlyMap<string, string>
  readonly decodedAt: Float64Array
  readonly beginsWithKey: boolean
  /** Whether an edit list leaves out some of the pictures. */
  readonly hasHidden: boolean
}

const streamEntries = [
  ...['codec_name', 'codec_tag_string', 'profile', 'level', 'width', 'height', 'pix_fmt'],
  ...['refs', 'sample_aspect_ratio', 'field_order', 'color_range', 'color_space', 'color_transfer'],
  ...['color_primaries', 'chroma_location', 'time_base', 'has_b_frames', 'nal_length_size'],
  'extradata_hash',
]
const sideEntries = [
  ...['side_data_type', 'rotation', 'dv_profile', 'dv_bl_signal_compatibility_id'],
  ...['max_content', 'max_average', 'min_luminance', 'max_luminance'],
]
const entries = [
  'format=start_time',
  `stream=${streamEntries.join(',')}`,
  `stream_side_data=${sideEntries.join(',')}`,
  'packet_side_data=side_data_type',
].join(':')
const packetEntries = 'packet=pts,dts,size,pos,flags'

/**
 * In Matroska, ffprobe gives the position of the block around a packet. A block begins with the number of its track, one byte
 * for numbers below 128, a time of two bytes, and a byte of flags.
 */
export const blockHeadBytes = 4

/** ffprobe's name for the side data of the first packet that needs another description. */
const otherDescription = 'New Extradata'

/** Reads the packets of the pictures, as many as were asked for, without decoding them. */
export async function measurePacking(
  tools: ToolContext,
  name: string,
  { format, video }: Pick<MediaFacts, 'format'> & { video: Pick<VideoFacts, 'index'> },
  mostPackets = Number.POSITIVE_INFINITY,
): Promise<Packing> {
  const isWebm = format === 'webm'
  const seen = collectPacking(mostPackets, isWebm ? blockHeadBytes : 0)
  // A block may store its bytes differently from its packet: only the hash shows that they are the same.
  const shown = [entries, isWebm ? `${packetEntries},data_hash` : packetEntries].join(':')
  const asked = ['-select_streams', String(video.index), '-show_data_hash', 'MD5']
  const file = { path: name, demuxer: demuxers[format] }
  await probeSections(tools, file, [...asked, '-show_entries', shown], (section) =>
    seen.onSection(section),
  )
  return seen.finish()
}

function collectPacking(mostPackets: number, headBytes: number) {
  const ticks = {
    shown: new GrowingColumn((memory) => new Float64Array(memory)),
    decoded: new GrowingColumn((memory) => new Float64Array(memory)),
    sizes: new GrowingColumn((memory) => new Float64Array(memory)),
    positions: new GrowingColumn((memory) => new Float64Array(memory)),
    sums: new GrowingColumn((memory) => new Float64Array(memory)),
    keys: new GrowingColumn((memory) => new Uint8Array(memory)),
    hidden: new GrowingColumn((memory) => new Uint8Array(memory)),
  }
  const known = {
    stream: new Map<string, string>(),
    start: 0,
    isWhole: true,
    hasDescriptions: false,
  }
  return {
    onSection(section: ProbeSection): void {
      if (section.kind === 'stream') known.stream = describe(section)
      if (section.kind === 'format') known.start = Number(section.value('start_time') ?? 0) || 0
      if (section.kind !== 'packet') return
      known.isWhole = ticks.sizes.length < mostPackets
      if (!known.isWhole) return
      if (section.hasSideData(otherDescription)) known.hasDescriptions = true
      const flags = section.value('flags') ?? ''
      ticks.keys.push(flags.includes('K') ? 1 : 0)
      ticks.hidden.push(flags.includes('D') ? 1 : 0)
      ticks.shown.push(Number(section.value('pts')))
      ticks.decoded.push(Number(section.value('dts')))
      ticks.sizes.push(Number(section.value('size')))
      ticks.positions.push(Number(section.value('pos')) + headBytes)
      const hash = section.value('data_hash')
      if (hash !== undefined) ticks.sums.push(sumOf(hash))
    },
    finish: (): Packing => packingOf(ticks, known),
  }
}

type Ticks = Record<
  'shown' | 'decoded' | 'sizes' | 'positions' | 'sums',
  Pick<GrowingColumn<Float64Array>, 'finish'>
> &
  Record<'keys' | 'hidden', Pick<GrowingColumn<Uint8Array>, 'finish'>>
type ReadPacking = Pick<Packing, 'isWhole' | 'hasDescriptions'> & {
  stream: Map<string, string>
  start: number
}

function packingOf(
  ticks: Ticks,
  { stream, start, isWhole, hasDescriptions }: ReadPacking,
): Packing {
  const [over = 1, under = 1] = (stream.get('time_base') ?? '').split('/').map(Number)
  const inSeconds = (column: Float64Array): Float64Array => {
    column.forEach((tick, i) => (column[i] = (tick * over) / under - start))
    return column
  }
  const sums = ticks.sums.finish()
  const [keys, hidden] = [ticks.keys.finish(), ticks.hidden.finish()]
  return {
    stream,
    shownAt: inSeconds(ticks.shown.finish()),
    decodedAt: inSeconds(ticks.decoded.finish()),
    sizes: ticks.sizes.finish(),
    positions: ticks.positions.finish(),
    sums: sums.length > 0 ? sums : undefined,
    keys,
    hidden,
    beginsWithKey: keys[0] === 1,
    hasHidden: hidden.includes(1),
    isWhole,
    hasDescriptions,
  }
}

/** As many digits of a hash, written as `MD5:0a1b…`, as fit into a number. */
function sumOf(hash: string): number {
  return Number.parseInt(hash.slice(hash.indexOf(':') + 1).slice(0, 12), 16)
}

/** All properties of a stream; values that several side data give for one property are joined. */
function describe(section: ProbeSection): Map<string, string> {
  const said = new Map(section.values())
  for (const values of section.sideData()) {
    for (const [name, value] of values) {
      const before = said.get(name)
      said.set(name, before === undefined ? value : `${before}, ${value}`)
    }
  }
  return said
}
