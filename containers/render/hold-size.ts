import type { FilterArgs } from '../graph/filter-graph.ts'
import type { VideoFacts } from '../timeline/media-facts.ts'

export type HeldSize = {
  readonly reading: readonly string[]
  readonly filters: readonly (readonly [name: string, args: FilterArgs])[]
}

/**
 * Calls and windows change their size while they are recorded. ffmpeg would begin its whole graph anew each time, and
 * count pictures anew: they are brought to the first size instead, and a picture that has it passes untouched. Filters
 * that turn, or look at transparency, could not follow.
 */
export function holdSize({
  isTurned,
  hasSquarePixels,
  hasAlpha,
  width,
  height,
}: VideoFacts): HeldSize {
  if (isTurned || !hasSquarePixels || hasAlpha) return { reading: [], filters: [] }
  return { reading: ['-reinit_filter:v', '0'], filters: [['scale', { w: width, h: height }]] }
}
