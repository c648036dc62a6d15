import { blocksPerSecond } from '../../sound/level/block-meter.ts'
import { decibels } from '../../sound/level/levels.ts'

/** The levels of the joined timeline in blocks of 10 ms, and the pictures at which it can be cut. */
export type LoudnessGrid = {
  readonly loudness: Float32Array
  readonly fps: number
  readonly totalFrames: number
}

/** Times of words are off by about this much. */
const reachSeconds = 0.15
/** By how much louder a moment may be that is nearer: of equally quiet ones, the nearer is better. */
const farthestDb = 3

/** In seconds. An edge must not cross the limits, beyond which other words begin. */
type Edge = {
  readonly at: number
  readonly least: number
  readonly most: number
  /** Whether a cut begins or ends there. */
  readonly side: 'begin' | 'end'
}

/**
 * The quietest picture around a moment. Only pictures count, because sound and pictures are cut together. If none is within
 * reach, the next one at which less is cut.
 */
export function quietEdge(
  { at, least, most, side }: Edge,
  { loudness, fps, totalFrames }: LoudnessGrid,
): number {
  const from = Math.max(0, Math.ceil(Math.max(at - reachSeconds, least) * fps - 1e-6))
  const to = Math.min(totalFrames, Math.floor(Math.min(at + reachSeconds, most) * fps + 1e-6))
  let best: { frame: number; cost: number } | undefined
  for (let frame = from; frame <= to; frame++) {
    const seconds = frame / fps
    const far = Math.abs(seconds - at) / reachSeconds
    const cost = levelAt(loudness, seconds) + farthestDb * far
    if (best === undefined || cost < best.cost) best = { frame, cost }
  }
  const next = side === 'begin' ? Math.ceil(at * fps) : Math.floor(at * fps)
  return best?.frame ?? Math.min(totalFrames, Math.max(0, next))
}

/** The louder of the blocks within 5 ms. */
function levelAt(loudness: Float32Array, seconds: number): number {
  const first = Math.floor((seconds - 0.005) * blocksPerSecond + 1e-6)
  const last = Math.ceil((seconds + 0.005) * blocksPerSecond - 1e-6) - 1
  const [a, b] = [loudness[Math.max(0, first)] ?? 0, loudness[Math.max(0, last)] ?? 0]
  return decibels(Math.max(a, b))
}
