import type { Crop } from '../../../worker/contract/options/picture/picture-edits.ts'
import { JobError } from '../../errors/job-error.ts'
import { pixelsOf, type Rect, type Size } from '../../../worker/contract/layout/element-layout.ts'

type CropRequest = {
  readonly crop: Crop
  /** Edges are multiples of this: 2 where two pixels share a sample of colour. */
  readonly grid: 1 | 2
  /** The field that asks for the crop, and whose picture is cropped. */
  readonly field: string
  readonly of: string
}

/** The part of a picture that is kept. Throws if it does not lie inside of the picture. */
export function cropRectangle(picture: Size, { crop, grid, field, of }: CropRequest): Rect {
  const across = spanOf(picture.width, { from: crop.x, length: crop.width }, grid)
  const down = spanOf(picture.height, { from: crop.y, length: crop.height }, grid)
  if (!across || !down) {
    const [from, length] = across ? ['y', 'height'] : ['x', 'width']
    throw new JobError(
      of === 'source' ? 'nothing_left' : 'element_unusable',
      `${field}: ${from} and ${length} reach outside of the picture: the ${of} has ${picture.width} × ${picture.height} pixels.`,
    )
  }
  return { x: across.from, y: down.from, width: across.length, height: down.length }
}

type CropPart = { readonly from: Crop['x']; readonly length: Crop['width'] }

/** The whole pixels of one side; undefined if some lie outside. */
function spanOf(whole: number, { from = 0, length }: CropPart, grid: number) {
  const begin = Math.round(pixelsOf(from, whole) ?? 0)
  const end = length === undefined ? whole : begin + Math.round(pixelsOf(length, whole) ?? 0)
  // Two percentages may be rounded up to one pixel too many.
  const isRounded = typeof from === 'string' || typeof length === 'string'
  if (end > whole + (isRounded ? 1 : 0) || whole - begin < grid) return undefined
  const first = Math.floor(begin / grid) * grid
  const last = Math.min(Math.floor(whole / grid) * grid, Math.floor(end / grid) * grid)
  return { from: first, length: Math.max(grid, last - first) }
}
