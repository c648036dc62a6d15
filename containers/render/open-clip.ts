import { demuxers } from '../ffmpeg/measure-media.ts'
import { inputFile, pipe, pipeAll, streamOf, type Stream } from '../ffmpeg/filter-graph.ts'
import type { ColorMatrix, MediaFacts, VideoFacts } from '../ffmpeg/media-facts.ts'
import { alphaReading } from './alpha-reading.ts'
import { holdSize } from './hold-size.ts'
import { isLaidOnColor, onColor } from './on-color.ts'
import { tagMatrix } from './tag-matrix.ts'
import type { Clip, InputOptions } from './render-state.ts'

/** A measured file in the job folder as the start of a filter graph. */
export function openClip(
  path: string,
  measured: MediaFacts,
  asked: InputOptions,
  backgroundColor = '#000000',
): Clip {
  const facts = asked.disableAudio ? withoutSound(measured) : measured
  const held = holdSize(facts.video)
  const reading = [...alphaReading(facts.video), ...held.reading]
  const file = inputFile(path, demuxers[facts.format], reading)
  const stored = pipeAll(streamOf(file, 'video', facts.video.index), held.filters)
  const picture = inTime(stored, facts.video)
  const standard = isLaidOnColor(facts.video)
    ? onColor(picture, facts.video, backgroundColor)
    : toStandardPicture(picture, facts.video)
  const audio = facts.audio && streamOf(file, 'audio', facts.audio.index)
  return { ...codable(standard, facts), audio, asked }
}

/** A side of one pixel cannot be coded, nor cropped to an even one. */
function codable(picture: Stream<'video'>, facts: MediaFacts): Pick<Clip, 'video' | 'facts'> {
  const { width, height } = facts.video
  if (width > 1 && height > 1) return { video: picture, facts }
  const size = { width: Math.max(2, width), height: Math.max(2, height) }
  const video = pipe(picture, 'scale', { w: size.width, h: size.height, flags: 'neighbor' })
  return { video, facts: { ...facts, video: { ...facts.video, ...size } } }
}

/** Nothing is heard of it, so that it ends with its picture. */
function withoutSound(facts: MediaFacts): MediaFacts {
  return { ...facts, audio: undefined, durationSeconds: facts.video.endSeconds }
}

function inTime(picture: Stream<'video'>, { lateSeconds }: VideoFacts): Stream<'video'> {
  if (lateSeconds === 0) return picture
  return pipe(picture, 'setpts', { expr: `PTS-${lateSeconds}/TB` })
}

/**
 * Steps need not know what a source was: what they get is 8-bit 4:2:0 in limited range, with square pixels and standard
 * dynamic range. (ffmpeg turns the picture upright itself.) A source that is so already passes without a filter.
 */
export function toStandardPicture(picture: Stream<'video'>, facts: VideoFacts): Stream<'video'> {
  const standard =
    facts.transfer === 'sdr' ? withMatrix(picture, facts) : toneMap(picture, facts.transfer)
  const isLimited = facts.transfer !== 'sdr' || !facts.isFullRange
  const ranged = isLimited ? standard : pipe(standard, 'scale', { out_range: 'limited' })
  const size = { w: facts.width, h: facts.height, flags: 'lanczos' }
  const squared = facts.hasSquarePixels
    ? ranged
    : pipeAll(ranged, [
        ['scale', size],
        ['setsar', { sar: 1 }],
      ])
  const isPlain = facts.pixelFormat === 'yuv420p' || facts.transfer !== 'sdr'
  return isPlain ? squared : pipe(squared, 'format', { pix_fmts: 'yuv420p' })
}

const rgbFormat = /^(x2?|0)?(rgb|bgr)|^gbr|^pal8/

/** From here on the picture says what its colours are written in: whoever converts or shows it must not guess again. */
function withMatrix(picture: Stream<'video'>, facts: VideoFacts): Stream<'video'> {
  const { isMatrixTagged, pixelFormat, colorMatrix } = facts
  if (isMatrixTagged) return picture
  const isRgb = rgbFormat.test(pixelFormat)
  const converted = isRgb
    ? pipeAll(picture, [
        ['scale', { out_color_matrix: colorMatrix, out_range: 'limited', flags: 'accurate_rnd' }],
        ['format', { pix_fmts: 'yuv420p' }],
      ])
    : picture
  return tagMatrix(converted, colorMatrix)
}

/** What the colours of the standard picture are written in: tone mapping ends in BT.709. */
export function standardMatrix({ transfer, colorMatrix }: VideoFacts): ColorMatrix {
  return transfer === 'sdr' ? colorMatrix : 'bt709'
}

const transferNames = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const

/** HDR to BT.709. The tags are set first, because zscale finds no way from "unknown". */
function toneMap(picture: Stream<'video'>, transfer: 'pq' | 'hlg'): Stream<'video'> {
  return pipeAll(picture, [
    [
      'setparams',
      { color_primaries: 'bt2020', color_trc: transferNames[transfer], colorspace: 'bt2020nc' },
    ],
    ['zscale', { transfer: 'linear', npl: 100 }],
    ['format', { pix_fmts: 'gbrpf32le' }],
    ['zscale', { primaries: 'bt709' }],
    ['tonemap', { tonemap: 'hable', desat: 0 }],
    ['zscale', { transfer: 'bt709', matrix: 'bt709', range: 'limited' }],
    ['format', { pix_fmts: 'yuv420p' }],
  ])
}
