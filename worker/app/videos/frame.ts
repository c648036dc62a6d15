/** The part of its source that a result shows, in percent. */
export type ShownFrame = { x: number; y: number; width: number; height: number }

/**
 * The frame from a second of the source on; undefined where something else than one part of the source is shown. A frame that
 * moves reaches the next one when that begins.
 */
export type SceneFrame = readonly [from: number, frame?: ShownFrame, moves?: boolean]

/** The frame at a second of the source. */
export function frameAt(frames: readonly SceneFrame[], second: number): ShownFrame | undefined {
  const place = Math.max(
    0,
    frames.findLastIndex(([from]) => from <= second + 0.01),
  )
  const [from = 0, frame, moves] = frames[place] ?? []
  const [to = 0, next] = frames[place + 1] ?? []
  if (!frame || !next || !moves || to <= from) return frame
  const share = Math.min(1, Math.max(0, (second - from) / (to - from)))
  const between = (side: 'x' | 'y') => frame[side] + share * (next[side] - frame[side])
  return { ...frame, x: between('x'), y: between('y') }
}

/** Everything outside a frame, as a path of 100 by 100. */
export function around({ x, y, width, height }: ShownFrame): string {
  return `M0 0H100V100H0Z M${x} ${y}V${y + height}H${x + width}V${y}Z`
}
