import { connect, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import type { VideoFacts } from '../../timeline/media-facts.ts'
import { limitedYuv } from './limited-yuv.ts'
import { standardMatrix, toTransparentPicture } from './standard-picture.ts'
import { tagMatrix } from './tag-matrix.ts'

/**
 * Puts a transparent video on a coloured background: no output format is encoded with transparency here, and the colour
 * below transparent pixels is arbitrary. The background is made from the pictures themselves, so that it has their
 * times.
 */
export function onColor(
  picture: Stream<'video'>,
  facts: VideoFacts,
  color: string,
): Stream<'video'> {
  const { width, height, hasSquarePixels } = facts
  const colorMatrix = standardMatrix(facts)
  const flags = 'bicubic+accurate_rnd+full_chroma_int'
  const size = hasSquarePixels ? {} : { w: width, h: height }
  const planes = pipeAll(toTransparentPicture(picture, facts), [
    ['scale', { ...size, out_color_matrix: colorMatrix, out_range: 'limited', flags }],
    ...(hasSquarePixels ? [] : ([['setsar', { sar: 1 }]] as const)),
    ['format', { pix_fmts: 'yuva420p' }],
  ])
  const [below, above] = connect('split', [tagMatrix(planes, colorMatrix)], ['video', 'video'])
  const { y, u, v } = limitedYuv(color, colorMatrix)
  const ground = pipeAll(below, [
    ['format', { pix_fmts: 'yuv420p' }],
    ['lutyuv', { y, u, v }],
  ])
  const [video] = connect('overlay', [ground, above], ['video'])
  return video
}
