import { z } from 'zod'

/** ffprobe writes most numbers as text, and `N/A` or nothing where it does not know. */
const number = z
  .union([z.number(), z.string()])
  .optional()
  .transform((value) => {
    const parsed = value === undefined || value === '' ? Number.NaN : Number(value)
    return Number.isFinite(parsed) ? parsed : undefined
  })

const sideData = z.object({
  rotation: z.number().optional(),
  dv_profile: z.number().optional(),
})

const stream = z.object({
  index: z.int().min(0),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  width: number,
  height: number,
  sample_aspect_ratio: z.string().optional(),
  pix_fmt: z.string().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
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
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(sideData).optional(),
})

const packet = z.object({
  stream_index: z.int(),
  pts_time: number,
  dts_time: number,
  duration_time: number,
  flags: z.string().default(''),
  side_data_list: z.array(z.object({ side_data_type: z.string().optional() })).default([]),
})

/** What is read of `ffprobe -show_format -show_streams -show_entries packet=… -of json`. */
export const probeOutput = z.object({
  packets: z.array(packet).default([]),
  streams: z.array(stream).default([]),
  format: z.object({
    start_time: number,
    duration: number,
    bit_rate: number,
    tags: z.record(z.string(), z.string()).optional().catch(undefined),
  }),
})

export type ProbedStream = z.infer<typeof stream>
export type ProbedPacket = z.infer<typeof packet>
export type ProbeOutput = z.infer<typeof probeOutput>
