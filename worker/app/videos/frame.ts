/** What a result shows of its source, in percent of that. */
export type Frame = { x: number; y: number; width: number; height: number }

/** From a second of the source on; without a frame, something else than one part of it is shown. */
export type SceneFrame = readonly [from: number, frame?: Frame]

/** Everything around a frame, as a path of 100 by 100. */
export function around({ x, y, width, height }: Frame): string {
  return `M0 0H100V100H0Z M${x} ${y}V${y + height}H${x + width}V${y}Z`
}
