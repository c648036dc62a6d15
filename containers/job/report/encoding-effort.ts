import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'

/** What tells of a source how long its pictures take. */
export type PictureLoad = Pick<
  MediaFacts['video'],
  'codec' | 'width' | 'height' | 'averageFps' | 'bitRate' | 'transfer'
>

/** H.264 of about the same look needs this many times the bits. */
const bitsAsH264: Readonly<Record<string, number>> = {
  hevc: 1.6,
  vp9: 1.6,
  av1: 2.5,
  mpeg4: 0.6,
  mpeg2video: 0.4,
}
/**
 * With more bits a pixel than this an encode takes no longer: some codecs of cameras and of cutting rooms spend them on
 * anything. A quality that is lower by `halving` leaves half of the noise in which most of them are spent.
 */
const mostBits = { best: 1.5, halving: 33 }
/** Of footage that does not say how many bits it has. */
const usualBits = 0.05
/** How much longer a pixel takes for the detail that it has, by the codec of the result, and where it is only decoded. */
const detailCost = { h264: 6, hevc: 6, vp9: 4, av1: 4, none: 10 }
/** `none`: nothing is encoded. */
type Target = VideoCodec | 'none'
/** What the change of HDR colours takes of a pixel that takes 1 in a still picture. */
const toneCost = 3

/**
 * How much longer the encode of a film takes than that of a still picture with as many pixels. Motion and detail take the
 * time, and the bits that the source spends on a pixel tell how much of them there is. A lower quality saves next to none
 * of it, except in noise.
 */
export function effortOf(source: PictureLoad, target: Target, quality = 100): number {
  const tones = source.transfer === 'sdr' ? 0 : toneCost
  return 1 + detailCost[target] * detailOf(source, quality) + tones
}

/** What the bits of a pixel tell: twice as many are spent on less than twice the detail. */
function detailOf(source: PictureLoad, quality: number): number {
  const most = mostBits.best * 2 ** ((quality - 100) / mostBits.halving)
  return Math.min(most, bitsOfPixel(source)) ** 0.7
}

/** The bits of a pixel of a source, in those of H.264. */
export function bitsOfPixel({ codec, width, height, averageFps, bitRate }: PictureLoad): number {
  if (bitRate === undefined || averageFps <= 0) return usualBits
  return ((bitsAsH264[codec] ?? 1) * bitRate) / (width * height * averageFps)
}

/** What tells of a file how long its pictures take. Some formats do not say how many bits these have. */
export function loadOf(facts: MediaFacts): PictureLoad {
  return { ...facts.video, bitRate: pictureBitsOf(facts) }
}

/** Clips that become one film. */
export type Footage = readonly { readonly facts: MediaFacts }[]

/** What tells of several clips how long their pictures take: of each second as much as its clip has. */
export function loadOfAll(
  clips: Footage,
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

/** Bits a second of the pictures. If the file does not say, all bits but those of the sound count. */
export function pictureBitsOf({ video, audio, sizeBytes, durationSeconds }: MediaFacts): number {
  const whole = (sizeBytes * 8) / Math.max(0.04, durationSeconds)
  const { bitRate } = video
  if (bitRate !== undefined) return Math.min(bitRate, whole)
  const sound = audio ? (audio.bitRate ?? usualSoundBits) : 0
  return Math.max(whole * leastPictureShare, whole - sound)
}
const leastPictureShare = 0.2
const usualSoundBits = 96_000
