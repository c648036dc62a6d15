import type { Scan } from '../timeline/scan-facts.ts'
import { addMotion, noMotion, type FieldMotion } from './field-motion.ts'

/** What each picture of a few runs of successive ones shows, in order. */
export type Runs = readonly (readonly FieldMotion[])[]

/** What moves in fewer may as well be noise. */
const fewestBlocks = 40
/** Pictures whose lines belong together have no combs, or ones that lean neither way. */
const leastCombing = 0.06
const wholeWeight = 0.3
/** Film does not show where little moves, so it has to show in this share of the runs only. */
const enoughTelecined = 0.6
/** A part of a video that is interlaced, beside others that are not. */
const strongCombing = 0.3
const strongShare = 0.25

/**
 * What the pictures show counts more than what the file says of them, which is wrong in both directions often enough.
 * Where nothing moves, nothing shows: then the file is believed, because it makes no difference to what stands still.
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

/** Fine patterns that move make combs in whole pictures too, which lean now one way and now the other. */
function combing({ blocks, lean, whole }: FieldMotion): number {
  return (Math.abs(lean) - wholeWeight * whole) / Math.max(1, blocks)
}

const cycle = 5
const mostBlocks = 0.5

/**
 * Of five pictures that were made of four of film, two in a row are mixed of two each, and the two before and after the
 * one between are whole.
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
