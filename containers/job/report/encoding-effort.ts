import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'

/** What tells of a source how long its pictures take. */
export type PictureLoad = Pick<
  MediaFacts['video'],
  'codec' | 'width' | 'height' | 'averageFps' | 'bitRate'
>

/** H.264 of about the same look needs this many times the bits. */
const bitsAsH264: Readonly<Record<string, number>> = {
  hevc: 1.6,
  vp9: 1.6,
  av1: 2.5,
  mpeg4: 0.6,
  mpeg2video: 0.4,
}
/** With more bits a pixel than this an encode takes no longer: footage of cameras has more than it needs. */
const mostBits = 0.14
/** Of footage that does not say how many bits it has. */
const usualBits = 0.05
/** A quality that is lower by this much halves the time that detail takes. */
const halvingQualities = 40
/** How much longer a pixel takes for each bit of detail that it has, by the codec of the result. */
const detailCost = { h264: 40, hevc: 30, vp9: 12, av1: 12 }

/**
 * How much longer the encode of a film takes than that of a still picture with as many pixels. Motion and detail take the
 * time, and the bits that the source spends on a pixel tell how much of them there is.
 */
export function effortOf(source: PictureLoad, target: VideoCodec, quality: number): number {
  const bits = Math.min(mostBits, bitsOfPixel(source))
  return 1 + (detailCost[target] * bits) / 2 ** ((100 - quality) / halvingQualities)
}

/** The bits of a pixel of a source, in those of H.264. */
export function bitsOfPixel({ codec, width, height, averageFps, bitRate }: PictureLoad): number {
  if (bitRate === undefined || averageFps <= 0) return usualBits
  return ((bitsAsH264[codec] ?? 1) * bitRate) / (width * height * averageFps)
}
