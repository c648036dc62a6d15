import type { Size } from '../../../../worker/contract/layout/element-layout.ts'

/** The bytes of a picture begin with its brightness, a byte for each pixel. */
export type Bright = Size & { readonly bytes: Buffer }

/** Where each place of the film comes from; places are shares of a picture. */
export type PlaceIn = (x: number, y: number) => readonly [x: number, y: number]

const side = 16
const across = 24
/** Pixels at the edge are left out, because their neighbours matter too. */
const edge = 2
/** Only blocks without details are judged, because details could be taken for grain. */
const flattest = 0.25
/** An encoder removes grain and adds none. */
const added = { share: 1.8, least: 2 } as const

/** Whether neighbouring pixels differ more than in the source, in most of its flattest parts. */
export function hasMoreGrain(film: Bright, source: Bright, placeIn: PlaceIn): boolean {
  const blocks = blocksOf(film, source, placeIn, roughnessIn)
  const flat = blocks.toSorted((a, b) => a.source - b.source).slice(0, blocks.length * flattest)
  const grainy = flat.filter((one) => one.film() > one.source * added.share + added.least)
  return flat.length > 0 && grainy.length > flat.length / 2
}

function isLargeEnough({ bytes, width, height }: Bright): boolean {
  return width >= 4 * side && height >= 4 * side && bytes.length >= width * height
}

const steps = Array.from({ length: across }, (_, i) => (i + 0.5) / across)
const places = steps.flatMap((y) => steps.map((x) => [x, y] as const))

/** What was measured in a block of the source, and how to measure it in that of the film. */
export type Square = { readonly source: number; readonly film: () => number }

/** The sum of a measure over the pixels of a row, between two places. */
type SumIn = (bytes: Uint8Array, from: number, to: number) => number

/** The mean of a measure in blocks all over the film, and at the same places of its source. */
export function blocksOf(film: Bright, source: Bright, placeIn: PlaceIn, sumIn: SumIn): Square[] {
  if (![film, source].every(isLargeEnough)) return []
  return places.map(([x, y]) => ({
    source: meanAt(source, placeIn(x, y), sumIn),
    film: () => meanAt(film, [x, y], sumIn),
  }))
}

/** How much pixels differ from their neighbours, apart from a slope. */
function roughnessIn(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) {
    sum += Math.abs(2 * (bytes[at] ?? 0) - (bytes[at - 1] ?? 0) - (bytes[at + 1] ?? 0))
  }
  return sum / 2
}

/** The mean over the block with this place in its middle. */
function meanAt(
  { bytes, width, height }: Bright,
  [x, y]: readonly [number, number],
  sumIn: SumIn,
): number {
  const within = (middle: number, length: number): number =>
    Math.min(length - side, Math.max(0, Math.round(middle * length - side / 2)))
  const first = within(y, height) * width + within(x, width)
  let sum = 0
  for (let row = 0, from = first + edge; row < side; row++, from += width) {
    sum += sumIn(bytes, from, from + side - 2 * edge)
  }
  return sum / (side * (side - 2 * edge))
}
