import type { FilterArgs } from '../graph/filter-graph.ts'
import type { VideoFacts } from '../timeline/media-facts.ts'

export type HeldSize = {
  readonly reading: readonly string[]
  readonly filters: readonly (readonly [name: string, args: FilterArgs])[]
}

/**
 * The size of recorded calls and windows may change midway. ffmpeg would then restart its whole graph and count
 * pictures from zero, so every picture is scaled to the first size; pictures of that size pass unchanged. Not possible
 * with filters that turn the picture or read its transparency.
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
