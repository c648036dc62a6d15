import type { Size } from '../../../worker/contract/layout/element-layout.ts'
import type { RenderOptions } from '../render-state.ts'
import {
  askedRatio,
  evenFloor,
  exactFrame,
  frameFor,
  isSameSize,
  frameOfRatio,
} from './frame-shape.ts'
import { planScenes, type Scene } from './reframe-scenes.ts'
import type { SeenPeople } from '../../timeline/seen-shots.ts'

type ShapeOptions = Pick<RenderOptions, 'aspectRatio' | 'resizeMode' | 'width' | 'height'>

/** The scenes that a result shows of the shots of a clip; none if it does not follow people. */
export function scenesShown({ shots, asked, picture }: SeenPeople, result: ShapeOptions): Scene[] {
  const shape = followedShape(picture, result)
  if (!shape) return []
  const { width, height } = shape.target
  return planScenes(shots, asked, { picture: evenFloor(picture), ratio: width / height })
}

/** The part of a picture that follows its people, and the size in which it is shown; undefined if nothing is followed. */
export function followedShape(
  picture: Size,
  { aspectRatio, resizeMode, width, height }: ShapeOptions,
): { readonly crop: Size; readonly target: Size } | undefined {
  if (resizeMode !== 'follow') return undefined
  const even = evenFloor(picture)
  const isExact = width !== undefined && height !== undefined
  if (!isExact && askedRatio(aspectRatio) === undefined) return undefined
  const crop = isExact
    ? frameOfRatio(even, width / height)
    : frameFor(even, { aspectRatio, resizeMode })
  if (isSameSize(crop, even)) return undefined
  return { crop, target: exactFrame(crop, { width, height }) }
}
