import type { VideoCodec } from '../../../worker/contract/options/outputs/output-rates.ts'
import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { Removed } from '../../timeline/list-cuts.ts'
import { thousandths } from '../../numbers/thousandths.ts'

/** The longest time from one key picture to the next: about two seconds let players seek. */
const usualKeySeconds = 2.5
/** If hardly anything moves, frequent key pictures would take more than all others together. */
const stillKeySeconds = 10
/** Slides, or a screen on which somebody types, take fewer bits a second than this. */
const stillBits = 60_000

/** `sources`: the pictures that are shown. */
export function keySecondsOf(
  sources: readonly { readonly bitRate?: number | undefined }[],
): number {
  const isStill = sources.every(({ bitRate = stillBits }) => bitRate < stillBits)
  return isStill ? stillKeySeconds : usualKeySeconds
}

export type QualityRange = { readonly atQuality1: number; readonly atQuality100: number }

export function atQuality({ atQuality1, atQuality100 }: QualityRange, quality: number): number {
  return atQuality1 + ((atQuality100 - atQuality1) * (quality - 1)) / 99
}

type PictureCodec = {
  readonly encoder: 'libx264' | 'libx265' | 'libvpx-vp9' | 'libsvtav1' | 'libaom-av1'
  readonly crf: QualityRange
  /** Some encoders take only whole numbers, so two neighbouring qualities may give the same one. */
  readonly hasWholeCrf: boolean
  /** `-preset` and the like. */
  readonly args: readonly string[]
  /** The encoder counts a picture when it takes it, and writes it this many pictures later. */
  readonly heldBack: number
  /** Whether it can share out a number of bytes by the notes of an ordinary encode; only x264 does. */
  readonly sharesOut: boolean
  /** Whether a first run over the pictures tells a second one where bytes are needed. */
  readonly hasPasses: boolean
  /** Whether pictures are stored in another order than they are shown. */
  readonly reorders: boolean
  /** Newer ones need fewer bytes for the same look. */
  readonly generation: number
}

const pictureCodecs: Record<VideoCodec, PictureCodec> = {
  h264: {
    encoder: 'libx264',
    crf: { atQuality1: 44, atQuality100: 14 },
    hasWholeCrf: false,
    args: ['-preset', 'fast', '-profile:v', 'high'],
    heldBack: 36,
    ...{ sharesOut: true, hasPasses: true, reorders: true, generation: 0 },
  },
  hevc: {
    encoder: 'libx265',
    crf: { atQuality1: 47, atQuality100: 16 },
    hasWholeCrf: false,
    // Apple's players show HEVC only with this tag.
    args: ['-preset', 'fast', '-tag:v', 'hvc1'],
    heldBack: 30,
    ...{ sharesOut: false, hasPasses: false, reorders: true, generation: 1 },
  },
  vp9: {
    encoder: 'libvpx-vp9',
    crf: { atQuality1: 62, atQuality100: 15 },
    hasWholeCrf: true,
    args: ['-deadline', 'good', '-cpu-used', '4', '-row-mt', '1'],
    heldBack: 25,
    ...{ sharesOut: false, hasPasses: true, reorders: false, generation: 1 },
  },
  av1: {
    encoder: 'libsvtav1',
    crf: { atQuality1: 62, atQuality100: 15 },
    hasWholeCrf: true,
    args: ['-preset', '8'],
    heldBack: 60,
    ...{ sharesOut: false, hasPasses: false, reorders: false, generation: 2 },
  },
}

/** SVT-AV1 refuses pictures with a side below this. */
const leastSvtSide = 64
const tinyAv1 = { encoder: 'libaom-av1', args: ['-cpu-used', '8'] } as const

function codecFor(codec: VideoCodec, { width, height }: CodedPicture): PictureCodec {
  const isTiny = codec === 'av1' && Math.min(width, height) < leastSvtSide
  return { ...pictureCodecs[codec], ...(isTiny && tinyAv1) }
}

export function heldBackIn(codec: VideoCodec): number {
  return pictureCodecs[codec].heldBack
}

export function canShareOut(codec: VideoCodec): boolean {
  return pictureCodecs[codec].sharesOut
}

export function hasPasses(codec: VideoCodec): boolean {
  return pictureCodecs[codec].hasPasses
}

/** The generation of codecs that sources may have but that no result is encoded with. */
const olderThanAll = -1
const othersGenerations: Readonly<Record<string, number>> = { vp8: 0 }

/** Whether a source has a codec that needs fewer bytes for the same look. */
export function isNewer(codec: string, than: VideoCodec): boolean {
  return generationOf(codec) > pictureCodecs[than].generation
}

function generationOf(codec: string): number {
  const known: Readonly<Record<string, PictureCodec>> = pictureCodecs
  return known[codec]?.generation ?? othersGenerations[codec] ?? olderThanAll
}

/** The constant rate factor of a quality; it always falls with rising quality, for encoders that accept fractions. */
export function crfOf(codec: VideoCodec, quality: number): number {
  const { crf, hasWholeCrf } = pictureCodecs[codec]
  const value = atQuality(crf, quality)
  return hasWholeCrf ? Math.round(value) : thousandths(value)
}

/** Encodes at constant quality, in as many bytes as that takes, or at most at a rate. */
export function qualityRate(codec: VideoCodec, quality: number, mostBits?: number): string[] {
  const crf = ['-crf', String(crfOf(codec, quality))]
  const isUnbound = codec === 'vp9' || codec === 'av1'
  if (mostBits === undefined) return [...crf, ...(isUnbound ? ['-b:v', '0'] : [])]
  const bound = boundOf(mostBits)
  // libvpx keeps to a bound only with a rate.
  return codec === 'vp9'
    ? [...crf, ...averageRate(mostBits * 0.85, bound)]
    : [...crf, ...rateText(bound)]
}

type Bound = { readonly most: number; readonly buffer: number }

/** A bound that hardly any second exceeds; with the buffer, a moment may use what the one before has saved. */
export function boundOf(mostBits: number): Bound {
  return { most: mostBits * 0.9, buffer: mostBits * 0.5 }
}

export function averageRate(bits: number, bound: Bound): string[] {
  return ['-b:v', String(Math.round(bits)), ...rateText(bound)]
}

function rateText({ most, buffer }: Bound): string[] {
  return ['-maxrate:v', String(Math.round(most)), '-bufsize:v', String(Math.round(buffer))]
}

type CodedPicture = {
  width: number
  height: number
  frameRate: FrameRate
  hasConstantRate: boolean
  hasGaps: boolean
  removed: Pick<Removed, 'all'>
  clips: readonly {
    readonly facts: { readonly video: { readonly bitRate?: number | undefined } }
  }[]
}

/** x264 takes 1.6 GB at 4K and 6 GB at 8K with its usual lookahead and threads. */
const largePicturePixels = 9_000_000

type PictureTarget = {
  readonly codec: VideoCodec
  /** Options for the encoder that its container needs. */
  readonly args: readonly string[]
}

export function videoCoding(
  { codec, args }: PictureTarget,
  rate: readonly string[],
  picture: CodedPicture,
  threads: number,
): string[] {
  const { encoder, args: usual, reorders } = codecFor(codec, picture)
  const isLarge = picture.width * picture.height > largePicturePixels
  const used = isLarge ? Math.min(threads, 4) : threads
  // MP4 derives the length of a track from the decoding order, which is far too short if a reordered picture is shown
  // for long.
  const isInOrder = reorders && picture.hasGaps
  const keySeconds = keySecondsOf(picture.clips.map(({ facts }) => facts.video))
  return [
    ...['-c:v', encoder, ...rate, ...usual, ...args],
    ...ownParams(encoder, { isLarge, threads: used }),
    ...(encoder === 'libvpx-vp9' ? tiling(picture.width) : []),
    ...['-g', String(Math.max(1, Math.round(fpsOf(picture.frameRate) * keySeconds)))],
    ...(picture.hasConstantRate ? [] : ownTimes),
    // Closed captions come before the picture that they belong to, so those of kept pictures could reveal what was removed.
    ...(picture.removed.all.length > 0 && encoder === 'libx264' ? ['-a53cc', '0'] : []),
    ...(isInOrder ? ['-bf', '0'] : []),
    ...['-pix_fmt', 'yuv420p', '-color_range', 'tv'],
    ...['-threads', String(used)],
  ]
}

/** What only the encoder itself understands. */
function ownParams(
  encoder: PictureCodec['encoder'],
  { isLarge, threads }: { isLarge: boolean; threads: number },
): string[] {
  switch (encoder) {
    case 'libx264':
      return isLarge ? ['-x264-params', 'rc-lookahead=10:ref=1'] : []
    case 'libx265': {
      const leaner = isLarge ? ':rc-lookahead=10:ref=1' : ''
      return ['-x265-params', `log-level=error:pools=${threads}${leaner}`]
    }
    case 'libsvtav1':
      return ['-svtav1-params', `lp=${threads}`]
    case 'libvpx-vp9':
    case 'libaom-av1':
      return []
  }
}

/** Phones record at a variable rate: ffmpeg would move pictures to a grid and repeat some. */
const ownTimes = ['-fps_mode:v', 'vfr', '-enc_time_base:v', '1:90000']

/** VP9 uses several threads only for columns of at least 256 pixels each. */
function tiling(width: number): string[] {
  const columns = Math.max(0, Math.min(4, Math.floor(Math.log2(Math.max(width, 256) / 256))))
  return ['-tile-columns', String(columns)]
}
