import { fpsOf, type FrameRate } from '../../timeline/frame-rate.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { steadyPictures } from '../frame/steady-pictures.ts'
import type { RenderState } from '../render-state.ts'

/** A viewer does not see that something appears or vanishes too early or too late by this much. */
const unseenSeconds = 0.1

/** Whether sound is heard for some time before the first picture or after the last one. */
export function isOutlasted({ video, durationSeconds }: MediaFacts): boolean {
  const { beginSeconds, endSeconds, frameRate, hasConstantRate } = video
  // Repeating a picture costs nothing where all take the same time; a variable rate would be lost.
  const mostAtBegin = hasConstantRate ? 1 / fpsOf(frameRate) : unseenSeconds
  return beginSeconds >= mostAtBegin || durationSeconds - endSeconds >= unseenSeconds
}

/**
 * An element may move, appear and vanish while the picture below it stands still, and also before the first picture and after
 * the last one.
 */
export function withoutGaps(state: RenderState<never>): RenderState<never> {
  return state.hasGaps || state.isOutlasted ? steadied(state) : state
}

/** The picture at the rate of the state, from the start to the end of the film. */
export function steadied(state: RenderState<never>): RenderState<never> {
  const { frameRate, durationSeconds } = state
  const frames = Math.max(1, Math.round(durationSeconds * fpsOf(frameRate)))
  const video = steadyPictures(state.video, frameRate, frames)
  return { ...state, ...factsAtRate(frameRate), video }
}

/** The facts of pictures at this rate, from the start to the end of the film. */
export function factsAtRate(frameRate: FrameRate) {
  return {
    ...{ frameRate, averageFps: fpsOf(frameRate) },
    ...{ hasConstantRate: true, hasGaps: false, isOutlasted: false },
  }
}
