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

type Asked = Pick<RenderOptions, 'aspectRatio' | 'resizeMode' | 'width' | 'height'>

/** What a result shows of the shots of a clip; nothing where it follows nobody. */
export function scenesShown({ shots, asked, picture }: SeenPeople, result: Asked): Scene[] {
  const shape = followedShape(picture, result)
  if (!shape) return []
  const { width, height } = shape.target
  return planScenes(shots, asked, { picture: evenFloor(picture), ratio: width / height })
}

/** The part of a picture that follows who is in it, and the size that it is shown in; undefined if nothing is to follow. */
export function followedShape(
  picture: Size,
  { aspectRatio, resizeMode, width, height }: Asked,
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
