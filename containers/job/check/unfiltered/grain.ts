import type { Size } from '../../../../worker/contract/layout/element-layout.ts'

/** The bytes of a picture begin with its brightness, a byte for each pixel. */
export type Bright = Size & { readonly bytes: Buffer }

/** Where each place of the film comes from; places are shares of a picture. */
type PlaceIn = (x: number, y: number) => readonly [x: number, y: number]

const side = 16
const across = 24
/** Blocks without details: these could be taken for grain. */
const flattest = 0.25
/** An encoder takes grain away and adds none. */
const added = { share: 1.8, least: 2 } as const

/** Whether neighbouring pixels differ more than at the same places of the source, in most of its flattest parts. */
export function hasMoreGrain(film: Bright, source: Bright, placeIn: PlaceIn): boolean {
  if (![film, source].every(isLargeEnough)) return false
  const blocks = places.map(([x, y]) => ({
    film: grainAt(film, x, y),
    source: grainAt(source, ...placeIn(x, y)),
  }))
  const flat = blocks.toSorted((a, b) => a.source - b.source).slice(0, blocks.length * flattest)
  const grainy = flat.filter((one) => one.film > one.source * added.share + added.least)
  return grainy.length > flat.length / 2
}

function isLargeEnough({ bytes, width, height }: Bright): boolean {
  return width >= 4 * side && height >= 4 * side && bytes.length >= width * height
}

const steps = Array.from({ length: across }, (_, i) => (i + 0.5) / across)
const places = steps.flatMap((y) => steps.map((x) => [x, y] as const))

/** How much neighbouring pixels of the block in the middle of which this place lies differ, beside its slopes. */
function grainAt({ bytes, width, height }: Bright, x: number, y: number): number {
  const within = (middle: number, length: number): number =>
    Math.min(length - side, Math.max(0, Math.round(middle * length - side / 2)))
  const from = within(y, height) * width + within(x, width)
  const count = side - 2
  let sum = 0
  for (let row = 0; row < side; row++) {
    for (let column = 1; column <= count; column++) {
      const at = from + row * width + column
      const around = (bytes[at - 1] ?? 0) + (bytes[at + 1] ?? 0)
      sum += Math.abs(2 * (bytes[at] ?? 0) - around)
    }
  }
  return sum / 2 / (side * count)
}
