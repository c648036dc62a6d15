import { z } from 'zod'
import { locationTags } from '../timeline/coordinates.ts'
import type { PacketTimes } from './packet-statistics.ts'

/** ffprobe writes most numbers as text, and `N/A` or nothing if it does not know one. */
const number = z
  .union([z.number(), z.string()])
  .optional()
  .transform((value) => {
    const parsed = value === undefined || value === '' ? Number.NaN : Number(value)
    return Number.isFinite(parsed) ? parsed : undefined
  })

const sideData = z.object({
  rotation: number,
  dv_profile: number,
})

const stream = z.object({
  index: z.coerce.number().int().min(0),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  width: number,
  height: number,
  sample_aspect_ratio: z.string().optional(),
  pix_fmt: z.string().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
  field_order: z.string().optional(),
  has_b_frames: number,
  r_frame_rate: z.string().optional(),
  avg_frame_rate: z.string().optional(),
  start_time: number,
  duration: number,
  bit_rate: number,
  sample_rate: number,
  channels: number,
  channel_layout: z.string().optional(),
  tags: z.object({ alpha_mode: z.string().optional() }).optional(),
  disposition: z.object({ attached_pic: number }).optional(),
  side_data_list: z.array(sideData).optional(),
})

const format = z.object({
  start_time: number,
  duration: number,
  bit_rate: number,
  tags: z.record(z.string(), z.string()).optional().catch(undefined),
})

export type ProbedStream = z.infer<typeof stream>
export type ProbedFormat = z.infer<typeof format>

/** Asks ffprobe for these entries only: texts that a customer wrote into a file may have any length. */
export const probeEntries = [
  'packet=stream_index,pts_time,dts_time,duration_time,flags',
  'packet_side_data=side_data_type',
  `stream=${Object.keys(stream.shape).join(',')}`,
  'stream_tags=alpha_mode',
  'stream_disposition=attached_pic',
  'stream_side_data=rotation,dv_profile',
  'format=start_time,duration,bit_rate',
  `format_tags=${locationTags.join(',')}`,
].join(':')

export type ProbedPacket = PacketTimes & {
  readonly streamIndex: number
  readonly isLocked: boolean
}

/** One line of `ffprobe -of compact`. */
export type ProbedLine =
  | { readonly kind: 'packet'; readonly packet: ProbedPacket }
  | { readonly kind: 'stream'; readonly stream: ProbedStream }
  | { readonly kind: 'format'; readonly format: ProbedFormat }

/** `packet|stream_index=0|pts_time=0.04|…|side_data|side_data_type=…`; undefined for other lines. */
export function readProbeLine(line: string): ProbedLine | undefined {
  const [section, ...fields] = line.split('|')
  switch (section) {
    case 'packet':
      return { kind: 'packet', packet: packetOf(fields) }
    case 'stream': {
      const read = stream.safeParse(sectionOf(fields)).data
      return read && { kind: 'stream', stream: read }
    }
    case 'format': {
      const read = format.safeParse(sectionOf(fields)).data
      return read && { kind: 'format', format: read }
    }
    default:
      return undefined
  }
}

/** Parsed without zod, because there are thousands of packets. */
function packetOf(fields: readonly string[]): ProbedPacket {
  const values = new Map(fields.map(splitOnce))
  const seconds = (name: string): number | undefined => {
    const value = Number(values.get(name) ?? 'N/A')
    return Number.isFinite(value) ? value : undefined
  }
  return {
    streamIndex: seconds('stream_index') ?? -1,
    pts: seconds('pts_time'),
    dts: seconds('dts_time'),
    duration: seconds('duration_time'),
    // `D` marks a packet that an edit list leaves out.
    isDiscarded: values.get('flags')?.includes('D') ?? false,
    isLocked: fields.some((field) => field.startsWith('side_data_type=Encryption')),
  }
}

/** Fields of a subsection carry its name: `tag:location=…`; side data follows the name of its section. */
function sectionOf(fields: readonly string[]): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  const within: Record<string, Record<string, string>> = { tag: {}, disposition: {} }
  const sideData: Record<string, string>[] = []
  for (const field of fields) {
    const [name, value] = splitOnce(field)
    const [group = '', inner] = name.split(/:(.*)/s)
    if (!field.includes('=')) sideData.push({})
    else if (inner !== undefined && within[group]) within[group][inner] = value
    else if (sideData.length > 0) Object.assign(sideData.at(-1) ?? {}, { [name]: value })
    else plain[name] = value
  }
  const { tag, disposition } = within
  return { ...plain, tags: tag, disposition, side_data_list: sideData }
}

function splitOnce(field: string): [string, string] {
  const at = field.indexOf('=')
  return at < 0 ? [field, ''] : [field.slice(0, at), field.slice(at + 1)]
}
