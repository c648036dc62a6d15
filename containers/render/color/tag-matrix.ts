import { pipe, type Stream } from '../../graph/filter-graph.ts'
import type { ColorMatrix } from '../../timeline/media-facts.ts'
import { matrixTags } from './limited-yuv.ts'

/** Tags the result with its colour matrix, because players guess differently if a picture has no tag. */
export function tagMatrix(picture: Stream<'video'>, matrix: ColorMatrix): Stream<'video'> {
  return pipe(picture, 'setparams', { colorspace: matrixTags[matrix] })
}
