import { z } from 'zod'
import { locationTags } from '../../timeline/coordinates.ts'
import type { PacketTimes } from './packet-statistics.ts'
import type { ProbeSection } from './probe-sections.ts'

/** ffprobe writes most numbers as text, and `N/A` or nothing if it does not know one. */
export function probedNumber(value: number | string | undefined): number | undefined {
  const parsed = value === undefined || value === '' ? Number.NaN : Number(value)
  return Number.isFinite(parsed) ? parsed : undefined
}

const number = z.union([z.number(), z.string()]).optional().transform(probedNumber)

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

/** Asks ffprobe for these entries only, because texts that a customer has put into a file may have any length. */
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

/** Entries that decide how players show the streams. */
export const describedEntries = [
  'stream=codec_tag_string,profile,level,color_primaries',
  'stream_side_data=side_data_type',
  'stream_tags=DURATION',
].join(':')

export type ProbedPacket = PacketTimes & {
  readonly streamIndex: number
  readonly isLocked: boolean
}

export function readStream(section: ProbeSection): ProbedStream | undefined {
  return stream.safeParse(nested(section)).data
}

export function readFormat(section: ProbeSection): ProbedFormat | undefined {
  return format.safeParse(nested(section)).data
}

/** Parsed without zod, because there are thousands of packets. */
export function readPacket(section: ProbeSection): ProbedPacket {
  const numberOf = (name: string): number | undefined => probedNumber(section.value(name))
  return {
    streamIndex: numberOf('stream_index') ?? -1,
    pts: numberOf('pts_time'),
    dts: numberOf('dts_time'),
    duration: numberOf('duration_time'),
    // `D` marks a packet that an edit list leaves out.
    isDiscarded: section.value('flags')?.includes('D') ?? false,
    isLocked: section.hasSideData('Encryption'),
  }
}

function nested(section: ProbeSection): Record<string, unknown> {
  const fields = [...section.values()]
  const within = (group: string): Record<string, string> =>
    Object.fromEntries(
      fields
        .filter(([name]) => name.startsWith(`${group}:`))
        .map(([name, value]) => [name.slice(group.length + 1), value]),
    )
  return {
    ...Object.fromEntries(fields.filter(([name]) => !name.includes(':'))),
    tags: within('tag'),
    disposition: within('disposition'),
    side_data_list: section.sideData().map((values) => Object.fromEntries(values)),
  }
}
