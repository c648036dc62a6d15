import { pipe } from '../../graph/filter-graph.ts'
import { evenPicture } from '../frame/fit-frame.ts'
import { renderStep } from '../render-state.ts'

/** The corrections are complete, so the filter itself neither smooths nor enlarges. */
const asWritten = { relative: 0, smoothing: 0, optzoom: 0, interpol: 'bicubic' }

/** Stabilises every clip. This is the first step, so that the pictures are those that were measured. */
export const stabilize = renderStep({
  name: 'stabilize',
  reads: ['stabilize'],
  shapeClip(picture, { stabilize: isAsked }) {
    const { corrections } = picture
    if (!isAsked || corrections === undefined) return picture
    // The filter ends ffmpeg if a side is odd.
    const { video, width, height } = evenPicture(picture)
    const held = pipe(video, 'vidstabtransform', { input: corrections, ...asWritten })
    return { ...picture, width, height, video: held }
  },
})
