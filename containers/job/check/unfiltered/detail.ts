import { blocksOf, type Bright, type PlaceIn } from './grain.ts'

/** The blocks with most detail, and those with least, in which only grain is left. */
const share = { detailed: 0.1, flat: 0.25 } as const
/** Grain is fine, too, and an encoder takes it away. */
const detailed = { least: 2, mostInFlat: 0.25 } as const
/**
 * Pictures that were made half as wide and wide again kept a third of it, and a half at most. Those that were only encoded kept 0.78 or
 * more of it, in a quarter of these blocks.
 */
const kept = { most: 0.5, of: 0.75 } as const

/** Whether what is only a pixel wide in a source is lost in the film, which has as many pixels. */
export function hasLostDetail(film: Bright, source: Bright, placeIn: PlaceIn): boolean {
  const blocks = blocksOf(film, source, placeIn, finenessIn).toSorted((a, b) => b.source - a.source)
  const most = blocks.slice(0, blocks.length * share.detailed)
  const usual = most[most.length >> 1]?.source ?? 0
  const flat = blocks[Math.floor(blocks.length * (1 - share.flat))]?.source ?? Infinity
  if (usual < detailed.least || flat > detailed.mostInFlat * usual) return false
  const left = most.map((one) => one.film() / one.source).toSorted((a, b) => a - b)
  return (left[Math.floor(left.length * kept.of)] ?? 1) < kept.most
}

/** How much of a row of pixels only alternates from one to the next. */
function finenessIn(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) {
    const beside = (bytes[at - 1] ?? 0) + (bytes[at + 1] ?? 0)
    const around = (bytes[at - 2] ?? 0) + (bytes[at + 2] ?? 0)
    sum += Math.abs(6 * (bytes[at] ?? 0) - 4 * beside + around)
  }
  return sum / 16
}
