import type { Frame } from './fit-frame.ts'
import { evenFloor } from './frame-shape.ts'
import { standardMatrix } from '../color/standard-picture.ts'
import type { Clip, Clips } from '../../timeline/clip.ts'
import type { ClipPicture, RenderOptions } from '../render-state.ts'
import { renderSteps } from '../render-steps.ts'

export type Shaped = {
  readonly clips: Clips
  readonly frame: Frame
  /** The names of the steps that changed clips. */
  readonly applied: readonly string[]
}

/**
 * Before the join: shapes every clip by itself as the options ask, and finds the frame for all of them. Only this
 * function decides the size of the result.
 */
export function shapeClips(clips: Clips, options: RenderOptions): Shaped {
  const [first, ...others] = clips
  const { clip, applied } = shapeClip(first, options)
  const start: Frame = {
    ...evenFloor(clip.facts.video),
    resizeMode: 'contain',
    backgroundColor: options.backgroundColor,
  }
  return {
    clips: [clip, ...others.map((other) => shapeClip(other, options).clip)],
    frame: renderSteps.reduce((frame, step) => step.frame(frame, options), start),
    applied,
  }
}

function shapeClip(clip: Clip, options: RenderOptions) {
  const facts = clip.facts.video
  const applied: string[] = []
  const asIs: ClipPicture = {
    ...{ video: clip.video, width: facts.width, height: facts.height },
    ...{ colorMatrix: standardMatrix(facts), colorTable: clip.colorTable },
    ...{ corrections: clip.corrections, faces: clip.faces, seen: clip.seen },
  }
  const { video, width, height } = renderSteps.reduce((before, step) => {
    const after = step.shapeClip(before, options)
    if (after.video !== before.video) applied.push(step.name)
    return after
  }, asIs)
  if (applied.length === 0) return { clip, applied }
  return {
    clip: {
      ...clip,
      video,
      storedPixels: facts.width * facts.height,
      facts: { ...clip.facts, video: { ...facts, width, height } },
    },
    applied,
  }
}
