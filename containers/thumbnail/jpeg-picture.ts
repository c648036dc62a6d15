import { pipe, pipeAll, type Stream } from '../graph/filter-graph.ts'
import type { MediaFacts, VideoFacts } from '../timeline/media-facts.ts'
import { deinterlaceAlone, withoutFields } from '../render/frame/deinterlace.ts'
import { toStandardPicture } from '../render/color/standard-picture.ts'
import { fitWithin } from './fit-within.ts'

/** The longest side of the largest still. Every picture is scaled down to it. */
export const pictureSide = 1280

type JpegPictures = {
  readonly picture: Stream<'video'>
  readonly facts: MediaFacts
  /** Chooses the pictures: an expression for `select`. */
  readonly expr: string
}

/** Turns chosen pictures of a video into those of a still: upright, in their shape, and in the only colours that JPEG knows. */
export function jpegPicture({ picture, facts, expr }: JpegPictures): Stream<'video'> {
  const { w, h } = fitWithin(facts.video, pictureSide)
  const chosen = deinterlaceAlone(pipe(picture, 'select', { expr }), facts.video)
  const colors = { out_range: 'full', out_color_matrix: 'bt601', flags: 'bicubic+accurate_rnd' }
  return pipeAll(toStandardPicture(...inSize(chosen, withoutFields(facts.video), { w, h })), [
    ['scale', { w, h, ...colors }],
    ['format', { pix_fmts: 'yuvj420p' }],
    ['setsar', { sar: 1 }],
  ])
}

type Fitted = [Stream<'video'>, VideoFacts]

/** Tone mapping takes seconds for a large picture, so the picture is scaled down first. */
function inSize(
  picture: Stream<'video'>,
  facts: VideoFacts,
  { w, h }: { w: number; h: number },
): Fitted {
  if (facts.transfer === 'sdr') return [picture, facts]
  const small = pipeAll(picture, [
    ['scale', { w, h, flags: 'bicubic' }],
    ['setsar', { sar: 1 }],
  ])
  return [small, { ...facts, width: w, height: h, hasSquarePixels: true }]
}
