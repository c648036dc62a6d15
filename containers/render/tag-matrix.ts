import { pipe, type Stream } from '../graph/filter-graph.ts'
import type { ColorMatrix } from '../timeline/media-facts.ts'
import { matrixTags } from './limited-yuv.ts'

/** Says in the result what colours were drawn in: players guess differently about a picture that does not say. */
export function tagMatrix(picture: Stream<'video'>, matrix: ColorMatrix): Stream<'video'> {
  return pipe(picture, 'setparams', { colorspace: matrixTags[matrix] })
}
