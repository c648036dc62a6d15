import { pipe, pipeAll, type Stream } from '../ffmpeg/filter-graph.ts'
import type { ColorMatrix, VideoFacts } from '../ffmpeg/media-facts.ts'
import { tagMatrix } from './tag-matrix.ts'

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
