import { meanOff } from './compare-on-grid.ts'
import type { Comparison } from './planned-pictures.ts'
import { medianOf } from '../../../numbers/mean.ts'

/** A fault in a part of a film that is compared with its plan picture by picture, and where it is seen. */
type OffInTime = { readonly what: string; readonly place: Comparison }

/** In steps of brightness: the least by which a stretch must be off, besides twice what is usual in the film. */
const leastOff = 1
/** How much of the planned movement a still stretch has, in a film that has most of it elsewhere. */
const still = { most: 0.15, usual: 0.6, leastMoved: 0.12 } as const
/** How much some cell must move in a moving stretch; an encoder makes smaller steps a little later, or never. */
const leastCellMoved = 2
/** How little of its step a repeated picture has, and how far the plan must go in that step. */
const twice = { most: 0.12, leastStep: 0.4, least: 3, share: 0.015 } as const

/** Finds where a film shows its pictures at other moments than its plan, stands still, or repeats pictures. */
export function offInTime(places: readonly Comparison[]): OffInTime | undefined {
  const all = places.filter(({ isAligned, isDamaged }) => isAligned && !isDamaged).map(measured)
  const usual = {
    off: medianOf(all.map(({ off }) => off)),
    moved: medianOf(all.flatMap(({ moved }) => moved ?? [])),
  }
  const apart = all.find(({ off }) => off > 2 * usual.off + leastOff)
  if (apart) return { what: 'It shows something else than was planned for that moment', ...apart }
  const isStill = ({ moved = 1 }: MeasuredPlace): boolean => moved < still.most
  const stood = usual.moved > still.usual ? all.find(isStill) : undefined
  if (stood) return { what: 'It stands still where it has to move', ...stood }
  const pictures = all.reduce((sum, { place }) => sum + place.film.length, 0)
  const repeated = all.reduce((sum, one) => sum + one.repeated, 0)
  const first = all.find((one) => one.repeated > 0)
  return first && repeated >= Math.max(twice.least, twice.share * pictures)
    ? { what: 'Single pictures come twice', ...first }
    : undefined
}

type MeasuredPlace = {
  readonly place: Comparison
  /** The least by which each of its pictures is off, in brightness. */
  readonly off: number
  /** How much it moves compared with its plan; undefined if the plan hardly moves. */
  readonly moved: number | undefined
  /** How many of its pictures repeat the one before. */
  readonly repeated: number
}

function measured(place: Comparison): MeasuredPlace {
  const { grid, film, planned: due } = place
  const cells = grid.width * grid.height
  const off = film.flatMap((one, i) => {
    const same = due[i]
    return same ? [meanOff(one, same, 0, cells)] : []
  })
  let [made, planned, repeated] = [0, 0, 0]
  for (let i = 1; i < film.length; i++) {
    const [before, now, dueBefore, dueNow] = [film[i - 1], film[i], due[i - 1], due[i]]
    if (!before || !now || !dueBefore || !dueNow) continue
    const [step, dueStep] = [meanOff(now, before, 0, cells), meanOff(dueNow, dueBefore, 0, cells)]
    made += step
    planned += dueStep
    const isMoved = dueStep > twice.leastStep && step < twice.most * dueStep
    if (isMoved && meanOff(now, dueBefore, 0, cells) < meanOff(now, dueNow, 0, cells)) repeated += 1
  }
  const isSeen = due.some((one) => hasCellMoved(one, due[0], cells))
  const hasMoved = isSeen && planned > still.leastMoved * (film.length - 1)
  return {
    place,
    off: off.length === 0 ? 0 : Math.min(...off),
    moved: hasMoved ? made / planned : undefined,
    repeated,
  }
}

function hasCellMoved(one: Buffer, first: Buffer | undefined, cells: number): boolean {
  if (!first) return false
  for (let i = 0; i < cells; i++) {
    if (Math.abs((one[i] ?? 0) - (first[i] ?? 0)) > leastCellMoved) return true
  }
  return false
}
