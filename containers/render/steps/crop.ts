import { cropRectangle } from '../frame/crop-rectangle.ts'
import { cropTo } from '../frame/fit-frame.ts'
import { isSameSize } from '../frame/frame-shape.ts'
import { renderStep } from '../render-state.ts'

/** Keeps a rectangle of every clip, which is upright by then, and before the result has its shape. */
export const crop = renderStep({
  name: 'crop',
  reads: ['crop'],
  shapeClip(picture, { crop: asked }) {
    if (!asked) return picture
    const of = { crop: asked, grid: 2, field: 'crop', of: 'source' } as const
    const part = cropRectangle(picture, of)
    if (isSameSize(part, picture)) return picture
    const { width, height } = part
    return { ...picture, width, height, video: cropTo(picture.video, part) }
  },
})
