import { pipe } from '../../graph/filter-graph.ts'
import { cropRectangle } from '../frame/crop-rectangle.ts'
import { renderStep } from '../render-state.ts'

/** Keeps a rectangle of every clip, which is upright by then, and before the result has its shape. */
export const crop = renderStep({
  name: 'crop',
  reads: ['crop'],
  shapeClip(picture, { crop: asked }) {
    if (!asked) return picture
    const of = { crop: asked, grid: 2, field: 'crop', of: 'source' } as const
    const { x, y, width, height } = cropRectangle(picture, of)
    const isWhole = width === picture.width && height === picture.height
    if (isWhole) return picture
    return {
      ...picture,
      width,
      height,
      video: pipe(picture.video, 'crop', { w: width, h: height, x, y }),
    }
  },
})
