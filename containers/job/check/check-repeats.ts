import type { Check } from '../../../worker/contract/job/check.ts'
import { fewBytes } from './check-pictures.ts'
import type { FileTables } from '../../parts/window/window.ts'
import { failed, thousandths, type Looked } from './check-tables.ts'
import { meanOff } from './shown/compare-on-grid.ts'
import { secondsBehindKey } from './shown/places-to-compare.ts'
import type { Beside, Place } from './shown/planned-pictures.ts'

/** How many single pictures have to repeat the one before them, and how many of these are looked at. */
const suspected = { least: 4, looked: 3, certain: 2 } as const
const fewOfUsual = 0.06
/** Cartoons and screens stand still for more than that of their pictures. */
const mostShare = 0.3
/** The first of these are not compared, so that the repeated one is the second that is. */
const around = { before: 3, count: 8 } as const
/** How far cells are apart in the mean, of pictures that are the same, and of those that have to be others. */
const apart = { same: 0.15, others: 1.5 } as const

/**
 * A few of the places at which single pictures may come twice all over a film: a picture that repeats the one before takes next to no
 * bytes.
 */
export function placesRepeated(looked: Looked, tables: FileTables | undefined): Place[] {
  const suspects = hasPictureForEach(looked) ? picturesRepeated(looked) : []
  if (suspects.length < suspected.least) return []
  const last = looked.tables.picture.at.length - around.count
  return nearKeys(looked, suspects, tables).map((place) => ({
    first: Math.max(0, Math.min(place - around.before, last)),
    count: around.count,
  }))
}

/** Whether single pictures come twice at these places, where the plan has another picture each time. */
export function checkRepeats(places: readonly Beside[]): Check | undefined {
  const repeated = places.filter(isRepeated)
  const [first] = repeated
  if (!first || repeated.length < suspected.certain) return undefined
  const stretch = {
    startTime: thousandths(first.at),
    endTime: thousandths(first.at + first.seconds),
  }
  return { ...failed('pictures', 'Single pictures come twice, all over the film.'), stretch }
}

/** Whether nothing but a fault repeats pictures: a source with fewer of them, or one that leaves some out, has them twice in the film. */
function hasPictureForEach({ planned: { clips, timeline }, film: { plan } }: Looked): boolean {
  const { speed = 1 } = timeline
  return (
    plan.video === 'encode' &&
    clips.every(({ facts: { format, video } }) => {
      const isSteady = format !== 'avi' && video.hasConstantRate && video.lateSeconds === 0
      return isSteady && video.averageFps * speed > plan.averageFps * 0.999
    })
  )
}

/** Pictures of next to no bytes between others. */
function picturesRepeated({ film: { plan }, tables: { picture } }: Looked): number[] {
  const { sizes } = picture
  const usual = sizes.toSorted()[sizes.length >> 1] ?? 0
  const few = Math.max(fewBytes(plan), fewOfUsual * usual)
  const isFew = (i: number): boolean => (sizes[i] ?? 0) <= few
  const all = Array.from(sizes, (_, i) => i).filter(isFew)
  const isStill = all.length > mostShare * sizes.length
  return isStill ? [] : all.filter((i) => i > 1 && !isFew(i - 1) && !isFew(i + 1))
}

/** A few of them that do not lie beside each other, where least is decoded of the film and its source. */
function nearKeys(
  looked: Looked,
  suspects: readonly number[],
  tables: FileTables | undefined,
): number[] {
  const { at, keys } = looked.tables.picture
  const secondsBefore = (place: number): number => {
    const begin = at[place] ?? 0
    const key = at[Math.max(0, keys.lastIndexOf(1, place))] ?? 0
    return begin - key + secondsBehindKey(looked, tables, begin)
  }
  const fewest = suspects
    .map((place) => ({ place, seconds: secondsBefore(place) }))
    .toSorted((a, b) => a.seconds - b.seconds)
  return fewest.slice(0, suspected.looked).map(({ place }) => place)
}

function isRepeated({ grid, film, planned }: Beside): boolean {
  const cells = grid.width * grid.height
  const stepsOf = (all: readonly Buffer[]): number[] =>
    all.slice(1).map((one, i) => meanOff(one, all[i] ?? one, 0, cells))
  const [made, due] = [stepsOf(film), stepsOf(planned)]
  return due.every((step) => step > apart.others) && made.some((step) => step < apart.same)
}
