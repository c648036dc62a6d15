import { z } from 'zod'
import type { FieldFault } from '../../answers/errors.ts'
import { worded } from '../../answers/wording.ts'
import { limits } from '../../limits.ts'
import type { VideoFormat } from '../../video/sniff-format.ts'

const videoCodecs = ['h264', 'hevc', 'vp9', 'av1'] as const
export type VideoCodec = (typeof videoCodecs)[number]

/** The codecs that each container takes; the first is the usual one. */
const codecsIn: Readonly<Record<VideoFormat, readonly VideoCodec[]>> = {
  mp4: ['h264', 'hevc', 'vp9', 'av1'],
  mov: ['h264', 'hevc'],
  webm: ['vp9', 'av1'],
  avi: ['h264'],
}

/** The codec with which the pictures of a result are encoded. */
export function codecOf(result: {
  readonly outputFormat: VideoFormat
  readonly videoCodec?: VideoCodec | undefined
}): VideoCodec {
  return result.videoCodec ?? codecsIn[result.outputFormat][0] ?? 'h264'
}

const videoCodec = z
  .enum(videoCodecs)
  .optional()
  .describe(
    'h264 plays everywhere; hevc, vp9 and av1 need fewer bytes and more time. MP4 takes all of them, MOV h264 and hevc, WebM vp9 and av1, AVI h264. h264 when absent, vp9 in WebM',
  )

/** Fewer bytes or bits hardly hold pictures and sound. */
const [leastBytes, leastBitrate] = [10_000, 64_000]

const maxBytes = worded(
  z
    .int()
    .min(leastBytes, `Must be at least ${leastBytes}`)
    .max(limits.outputBytes, `Must be at most ${limits.outputBytes}`),
  'a whole number of bytes such as 10000000',
)

const maxBitrate = worded(
  z
    .int()
    .min(leastBitrate, `Must be at least ${leastBitrate}`)
    .max(limits.outputBitrate, `Must be at most ${limits.outputBitrate}`),
  'a whole number of bits a second such as 4000000',
)

/** How the pictures of an output are coded, and how much room they may take. */
export const rateFields = {
  videoCodec,
  maxBytes: maxBytes
    .optional()
    .describe(
      'The file is never larger. At compressionQuality 100 it takes nearly all of these bytes if its sources have as many; at a lower quality it may take fewer',
    ),
  maxBitrate: maxBitrate
    .optional()
    .describe('Bits a second of picture and sound together, which no second of it exceeds'),
}

/** Faults of the rates of one output, whose container is `format`. */
export function rateFaults(
  { videoCodec }: z.infer<z.ZodObject<typeof rateFields>>,
  format: VideoFormat,
  at: (field: string, message: string) => FieldFault,
): FieldFault[] {
  if (videoCodec === undefined || codecsIn[format].includes(videoCodec)) return []
  const taken = codecsIn[format].join(', ')
  return [at('videoCodec', `Must be a codec that ${format} takes: ${taken}`)]
}
