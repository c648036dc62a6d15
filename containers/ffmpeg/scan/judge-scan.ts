import type { Scan } from '../../timeline/scan-facts.ts'
import { addMotion, noMotion, type FieldMotion } from './field-motion.ts'

/** A few runs of successive pictures, and the motion in each picture, in order. */
export type Runs = readonly (readonly FieldMotion[])[]

/** Motion in fewer blocks may be noise. */
const fewestBlocks = 40
/** Progressive pictures have no combs, or combs that lean neither way. */
const leastCombing = 0.06
const wholeWeight = 0.3
/** Telecine cannot be seen where little moves, so only this share of the runs has to show it. */
const enoughTelecined = 0.6
/** Limits for a video of which only a part is interlaced. */
const strongCombing = 0.3
const strongShare = 0.25

/**
 * What the pictures show counts more than the flags of the file, which are often wrong in either direction. If nothing
 * moves, the pictures show nothing and the flags decide; a mistake then does no harm.
 */
export function judgeScan(marked: Scan, runs: Runs): Scan {
  const moving = runs.map((pictures) => ({ pictures, sum: sumOf(pictures) }))
  const telling = moving.filter(({ sum }) => sum.blocks >= fewestBlocks / 2)
  const all = sumOf(telling.map(({ sum }) => sum))
  if (all.blocks < fewestBlocks) return marked
  const { isMarked } = marked
  const firstField = all.lean >= 0 ? 'top' : 'bottom'
  const film = telling.filter(({ pictures }) => isTelecined(pictures))
  if (film.length >= telling.length * enoughTelecined) {
    return { kind: 'telecined', firstField, isMarked }
  }
  const strong = telling.filter(({ sum }) => combing(sum) > strongCombing)
  const isInterlaced =
    combing(all) > leastCombing || strong.length > Math.max(1, telling.length * strongShare)
  return { kind: isInterlaced ? 'interlaced' : 'progressive', firstField, isMarked }
}

function sumOf(motions: readonly FieldMotion[]): FieldMotion {
  return motions.reduce(addMotion, noMotion)
}

/** Fine moving patterns make combs in progressive pictures too, but those lean now one way and now the other. */
function combing({ blocks, lean, whole }: FieldMotion): number {
  return (Math.abs(lean) - wholeWeight * whole) / Math.max(1, blocks)
}

const cycle = 5
const mostBlocks = 0.5

/**
 * Telecine makes five pictures of four film pictures: two successive ones mix the lines of two film pictures each, and
 * the two before them are whole.
 */
function isTelecined(pictures: readonly FieldMotion[]): boolean {
  const places = Array.from({ length: cycle }, (_, place) =>
    sumOf(pictures.filter((_picture, i) => i % cycle === place)),
  )
  const isMostly = (kind: 'mixed' | 'whole', place: number): boolean => {
    const { blocks, [kind]: count } = places[place % cycle] ?? noMotion
    return count > blocks * mostBlocks
  }
  return places.some(
    (_, place) =>
      isMostly('mixed', place) &&
      isMostly('mixed', place + 1) &&
      isMostly('whole', place + 3) &&
      isMostly('whole', place + 4),
  )
}
