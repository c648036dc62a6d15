import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'

/** The facts of a source that tell how long its pictures take to encode. */
export type PictureLoad = Pick<
  MediaFacts['video'],
  'codec' | 'width' | 'height' | 'averageFps' | 'bitRate' | 'transfer'
>

/** How many times the bits H.264 needs for about the same look. Some codecs store each picture by itself, or lose nothing. */
const bitsAsH264: Readonly<Record<string, number>> = {
  hevc: 1.6,
  vp9: 1.6,
  av1: 2.5,
  mpeg4: 0.6,
  mpeg2video: 0.4,
  mjpeg: 0.3,
  ffv1: 0.2,
  prores: 0.12,
  dnxhd: 0.12,
  dvvideo: 0.2,
}
/**
 * With more bits a pixel than this, an encode takes no longer: some codecs of cameras and editing programs spend many bits on
 * anything. Lowering the quality by `halving` halves the noise, on which most of them are spent.
 */
const mostBits = { best: 1.5, halving: 33 }
/** Bits of a pixel in footage that does not tell. */
const usualBits = 0.05
/** How much longer a pixel takes for its detail, by the codec of the result, or if it is only decoded. */
const detailCost = { h264: 6, hevc: 6, vp9: 4, av1: 4, none: 10 }
/** `none`: nothing is encoded. */
type Target = VideoCodec | 'none'
/** The cost of converting the HDR colours of a pixel, if a pixel of a still picture costs 1. */
const toneCost = 3

/**
 * How much longer the encode of a film takes than that of a still picture with as many pixels. Motion and detail take the time,
 * and the bits that the source spends on a pixel tell how much of them it has. A lower quality saves hardly any of it, except
 * in noise.
 */
export function effortOf(source: PictureLoad, target: Target, quality = 100): number {
  const tones = source.transfer === 'sdr' ? 0 : toneCost
  const most = mostBits.best * 2 ** ((quality - 100) / mostBits.halving)
  return effortOfBits(Math.min(most, bitsOfPixel(source)), target) + tones
}

/** The same by the bits that a pixel takes: twice the bits are spent on less than twice the detail. */
function effortOfBits(bits: number, target: Target): number {
  return 1 + detailCost[target] * bits ** 0.7
}

/** How much longer the same pictures take to encode with `bits` for each pixel than with `others`. */
export function effortShare(codec: VideoCodec, bits: number, others: number): number {
  const ofBits = (one: number) =>
    effortOfBits(Math.min(mostBits.best, (bitsAsH264[codec] ?? 1) * one), codec)
  return ofBits(bits) / ofBits(others)
}

/** The bits of a source's pixel, converted to those of H.264. */
export function bitsOfPixel({ codec, width, height, averageFps, bitRate }: PictureLoad): number {
  if (bitRate === undefined || averageFps <= 0) return usualBits
  return ((bitsAsH264[codec] ?? 1) * bitRate) / (width * height * averageFps)
}

/** The load of a file's pictures. Some formats do not say how many bits these have. */
export function loadOf(facts: MediaFacts): PictureLoad {
  return { ...facts.video, bitRate: pictureBitsOf(facts) }
}

/** Clips that become one film. */
export type FilmClips = readonly { readonly facts: MediaFacts }[]

/** The load of several clips together, weighted by their seconds. */
export function loadOfAll(
  clips: FilmClips,
  target: Target,
  quality: number,
): { readonly decoded: number; readonly pixelRate: number; readonly effort: number } {
  const all = clips.reduce((sum, { facts }) => sum + facts.durationSeconds, 0)
  const mean = (valueOf: (load: PictureLoad) => number) =>
    clips.reduce((sum, { facts }) => {
      const share = all > 0 ? facts.durationSeconds / all : 1 / clips.length
      return sum + share * valueOf(loadOf(facts))
    }, 0)
  return {
    decoded: mean(({ width, height }) => width * height),
    pixelRate: mean(({ width, height, averageFps }) => width * height * averageFps),
    effort: mean((load) => effortOf(load, target, quality)),
  }
}

/** Bits a second of the pictures, up to the last one. If the file does not say, all bits but those of the sound count. */
export function pictureBitsOf({ video, audio, sizeBytes, durationSeconds }: MediaFacts): number {
  const whole = (sizeBytes * 8) / Math.max(0.04, video.endSeconds || durationSeconds)
  const { bitRate } = video
  if (bitRate !== undefined) return Math.min(bitRate, whole)
  const sound = audio ? (audio.bitRate ?? usualSoundBits) : 0
  return Math.max(whole * leastPictureShare, whole - sound)
}
const leastPictureShare = 0.2
const usualSoundBits = 96_000
