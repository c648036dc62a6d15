import type { Size } from '../../../../worker/contract/layout/element-layout.ts'

const side = 16
const across = 24
/** The flattest blocks of a picture have no details that could be taken for grain. */
const flattest = 0.25

/**
 * How much neighbouring pixels differ from each other in the flattest parts of a picture, in steps of its brightness; undefined if
 * it is too small. `bytes` begin with its brightness, a byte for each pixel.
 */
export function grainIn(bytes: Buffer, { width, height }: Size): number | undefined {
  if (width < 4 * side || height < 4 * side || bytes.length < width * height) return undefined
  const columns = Math.min(across, Math.floor(width / side))
  const rows = Math.min(across, Math.floor(height / side))
  const found: number[] = []
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const left = Math.floor((column * (width - side)) / columns) + 1
      const top = Math.floor((row * (height - side)) / rows)
      found.push(grainOf(bytes, top * width + left, width))
    }
  }
  return found.toSorted((a, b) => a - b)[Math.floor(found.length * flattest)]
}

/** What is left of a block without its slopes. */
function grainOf(bytes: Buffer, from: number, width: number): number {
  const count = side - 2
  let sum = 0
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < count; x++) {
      const at = from + y * width + x
      const around = (bytes[at - 1] ?? 0) + (bytes[at + 1] ?? 0)
      sum += Math.abs(2 * (bytes[at] ?? 0) - around)
    }
  }
  return sum / 2 / (side * count)
}

/** An encoder takes grain away and adds none. */
const added = { share: 1.8, least: 2 } as const

export function hasMoreGrain(film: number | undefined, source: number | undefined): boolean {
  if (film === undefined || source === undefined) return false
  return film > source * added.share + added.least
}
