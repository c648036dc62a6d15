import { pipe } from '../../graph/filter-graph.ts'
import { renderStep } from '../render-state.ts'

/** The corrections are finished: the filter smooths and enlarges nothing by itself. */
const asWritten = { relative: 0, smoothing: 0, optzoom: 0, interpol: 'bicubic' }

/** Holds every clip still. It is the first step, so that the pictures are those that were measured. */
export const stabilize = renderStep({
  name: 'stabilize',
  reads: ['stabilize'],
  shapeClip(picture, { stabilize: isAsked }) {
    const { corrections, video } = picture
    if (!isAsked || corrections === undefined) return picture
    return {
      ...picture,
      video: pipe(video, 'vidstabtransform', { input: corrections, ...asWritten }),
    }
  },
})
