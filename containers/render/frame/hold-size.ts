import type { pipeAll } from '../../graph/filter-graph.ts'
import { isSideways, type TurnMatrix, type VideoFacts } from '../../timeline/media-facts.ts'

type HeldSize = {
  readonly reading: readonly string[]
  readonly filters: Parameters<typeof pipeAll>[1]
}

/**
 * The size of recorded calls and windows may change midway. ffmpeg would then restart its whole graph and count
 * pictures from zero, so every picture is scaled to the first size; pictures of that size pass unchanged. Not possible
 * with filters that turn the picture or read its transparency.
 */
export function holdSize(video: VideoFacts): HeldSize {
  const { isTurned, ownTurn, hasSquarePixels, hasAlpha, width, height } = video
  if (ownTurn) {
    return { reading: ['-noautorotate', '-reinit_filter:v', '0'], filters: turning(ownTurn) }
  }
  if (isTurned || !hasSquarePixels || hasAlpha) return { reading: [], filters: [] }
  return { reading: ['-reinit_filter:v', '0'], filters: [['scale', { w: width, h: height }]] }
}

/** Turns and mirrors a picture by right angles. */
function turning(turn: TurnMatrix): HeldSize['filters'] {
  if (isSideways(turn)) {
    const names = turn.c < 0 ? ['clock', 'clock_flip'] : ['cclock_flip', 'cclock']
    return [['transpose', { dir: names[turn.b < 0 ? 1 : 0] ?? 'clock' }]]
  }
  return [...(turn.a < 0 ? [['hflip'] as const] : []), ...(turn.d < 0 ? [['vflip'] as const] : [])]
}
