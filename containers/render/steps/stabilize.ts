import { pipe } from '../../graph/filter-graph.ts'
import { evenFloor } from '../frame/frame-shape.ts'
import { renderStep } from '../render-state.ts'

/** The corrections are complete, so the filter itself neither smooths nor enlarges. */
const asWritten = { relative: 0, smoothing: 0, optzoom: 0, interpol: 'bicubic' }

/** Stabilises every clip. This is the first step, so that the pictures are those that were measured. */
export const stabilize = renderStep({
  name: 'stabilize',
  reads: ['stabilize'],
  shapeClip(picture, { stabilize: isAsked }) {
    const { corrections, video } = picture
    if (!isAsked || corrections === undefined) return picture
    // The filter ends ffmpeg if a side is odd.
    const { width, height } = evenFloor(picture)
    const isEven = width === picture.width && height === picture.height
    const even = isEven ? video : pipe(video, 'crop', { w: width, h: height, x: 0, y: 0 })
    const held = pipe(even, 'vidstabtransform', { input: corrections, ...asWritten })
    return { ...picture, width, height, video: held }
  },
})
