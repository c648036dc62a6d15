import { pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import type { ColorMatrix, VideoFacts } from '../../timeline/media-facts.ts'
import { deinterlace } from '../frame/deinterlace.ts'
import { tagMatrix } from './limited-yuv.ts'

/**
 * Later steps need not know the source: they get progressive pictures in 8-bit 4:2:0 and limited range, with square
 * pixels and standard dynamic range. (ffmpeg itself turns the picture upright.) A source that already has this form
 * passes without a filter.
 */
export function toStandardPicture(picture: Stream<'video'>, facts: VideoFacts): Stream<'video'> {
  const whole = deinterlace(picture, facts)
  const standard =
    facts.transfer === 'sdr' ? withMatrix(whole, facts) : toneMap(whole, facts.transfer, opaque)
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

/** For a picture that stays transparent, in its own size and format. */
export function toTransparentPicture(picture: Stream<'video'>, facts: VideoFacts): Stream<'video'> {
  const whole = deinterlace(picture, facts)
  if (facts.transfer !== 'sdr') return toneMap(whole, facts.transfer, transparent)
  return facts.isMatrixTagged ? whole : tagMatrix(whole, facts.colorMatrix)
}

/** Whether an encode would show exactly the source: no filter changes it. */
export function isStandardPicture(video: VideoFacts): boolean {
  const { pixelFormat, isFullRange, transfer, scan, isTurned, hasSquarePixels, hasAlpha } = video
  const isPlain = pixelFormat === 'yuv420p' && !isFullRange && transfer === 'sdr' && !hasAlpha
  const isWhole = scan.kind === 'progressive' && !scan.isMarked
  return isPlain && isWhole && !isTurned && hasSquarePixels
}

const rgbFormat = /^(x2?|0)?(rgb|bgr)|^gbr|^pal8/

/** Tags the picture with its matrix, so that nothing later has to guess it again. */
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

/** The matrix of the standard picture: tone mapping produces BT.709. */
export function standardMatrix({ transfer, colorMatrix }: VideoFacts): ColorMatrix {
  return transfer === 'sdr' ? colorMatrix : 'bt709'
}

const transferNames = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const

type Formats = { readonly linear: string; readonly result: string }

const opaque: Formats = { linear: 'gbrpf32le', result: 'yuv420p' }
const transparent: Formats = { linear: 'gbrapf32le', result: 'yuva420p' }

/** Maps HDR to BT.709. The tags are set first, because zscale cannot convert from "unknown". */
function toneMap(
  picture: Stream<'video'>,
  transfer: 'pq' | 'hlg',
  { linear, result }: Formats,
): Stream<'video'> {
  return pipeAll(picture, [
    [
      'setparams',
      { color_primaries: 'bt2020', color_trc: transferNames[transfer], colorspace: 'bt2020nc' },
    ],
    ['zscale', { transfer: 'linear', npl: 100 }],
    ['format', { pix_fmts: linear }],
    ['zscale', { primaries: 'bt709' }],
    ['tonemap', { tonemap: 'hable', desat: 0 }],
    ['zscale', { transfer: 'bt709', matrix: 'bt709', range: 'limited' }],
    ['format', { pix_fmts: result }],
  ])
}
