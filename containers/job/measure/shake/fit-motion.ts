import type { Size } from '../../../../worker/contract/layout/element-layout.ts'
import { medianOf, meanOf } from '../../../numbers/mean.ts'

/** How the picture moves from one to the next: to the right, down, and turned about its middle in radians. */
export type CameraMotion = { readonly x: number; readonly y: number; readonly turn: number }

export const still: CameraMotion = { x: 0, y: 0, turn: 0 }

/** How a small square of the picture moved; `x` and `y` count from the middle of the picture. */
type MovedSquare = {
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
  /** How much it differs from the square it came from. */
  readonly unlike: number
}

/** The step from one picture to the next, as far as it is known. */
export type ShakeStep = CameraMotion | 'unknown' | 'another take'

/** In two pictures of one take, half of the fields differ by less than this, even where things move. */
const mostUnlike = 12
/** If the camera moves, at least this share of the fields moves together, within this many pixels; in noise they do not. */
const leastTogether = 0.2
const togetherPixels = 4
const fittingRounds = 4
/** Fields move by whole pixels, so each axis is off by up to half a pixel. */
const roundedPixels = 1

/** Reads the output of vidstabdetect about one picture. Objects that move by themselves do not count. */
export function fitMotion(line: string, { width, height }: Size): ShakeStep {
  const fields = fieldsIn(line).map(({ x, y, ...field }) => ({
    ...{ x: x - width / 2, y: y - height / 2 },
    ...field,
  }))
  if (fields.length === 0) return 'unknown'
  if (medianOf(fields.map(({ unlike }) => unlike)) > mostUnlike) return 'another take'
  const [x, y] = [medianOf(fields.map(({ dx }) => dx)), medianOf(fields.map(({ dy }) => dy))]
  let found: Similar = { x, y, turn: 0, growth: 0 }
  for (let round = 0; round < fittingRounds; round++) {
    const far = fields.map((field) => farFrom(field, found))
    const most = roundedPixels + 2 * medianOf(far)
    found = fitSimilar(fields.filter((_, i) => (far[i] ?? 0) <= most)) ?? found
  }
  const together = fields.filter((field) => farFrom(field, found) < togetherPixels).length
  if (together < leastTogether * fields.length) return 'unknown'
  return { x: found.x, y: found.y, turn: found.turn }
}

const fieldText = /LM (-?\d+) (-?\d+) (-?\d+) (-?\d+) \d+ [\d.]+ ([\d.]+)/g

/** Sorts fields by their places, because threads of the filter write them in the order in which they find them. */
function fieldsIn(line: string): MovedSquare[] {
  const fields = Array.from(line.matchAll(fieldText), (found) => {
    const [backX = 0, backY = 0, x = 0, y = 0, unlike = 0] = found.slice(1).map(Number)
    return { x, y, dx: -backX, dy: -backY, unlike }
  })
  return fields.sort((a, b) => a.y - b.y || a.x - b.x)
}

/** The picture may also grow when the camera comes closer; this is allowed for only so that it is not mistaken for a shake. */
type Similar = CameraMotion & { readonly growth: number }

function farFrom({ x, y, dx, dy }: MovedSquare, found: Similar): number {
  return Math.hypot(
    dx - found.x - found.growth * x - found.turn * y,
    dy - found.y - found.growth * y + found.turn * x,
  )
}

/** The motion with the least squares of all distances; undefined if the fields lie in one place. */
function fitSimilar(fields: readonly MovedSquare[]): Similar | undefined {
  const mean = (value: (field: MovedSquare) => number): number => meanOf(fields.map(value))
  const middle = { x: mean(({ x }) => x), y: mean(({ y }) => y) }
  const moved = { x: mean(({ dx }) => dx), y: mean(({ dy }) => dy) }
  const spread = mean(({ x, y }) => (x - middle.x) ** 2 + (y - middle.y) ** 2)
  if (!(spread > 0)) return undefined
  const growth =
    mean(({ x, y, dx, dy }) => (x - middle.x) * (dx - moved.x) + (y - middle.y) * (dy - moved.y)) /
    spread
  const turn =
    mean(({ x, y, dx, dy }) => (y - middle.y) * (dx - moved.x) - (x - middle.x) * (dy - moved.y)) /
    spread
  return {
    x: moved.x - growth * middle.x - turn * middle.y,
    y: moved.y - growth * middle.y + turn * middle.x,
    turn,
    growth,
  }
}
