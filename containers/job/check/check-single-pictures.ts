import type { Check } from '../../../worker/contract/job/check.ts'
import { fewBytes } from './check-pictures.ts'
import type { FileTables } from '../../parts/window/window.ts'
import { pictureAt, say, type Looked, failedAt } from './check-tables.ts'
import { showsNothing } from './shown/check-shown.ts'
import { matchOf, meanOff, stepsIn } from './shown/compare-on-grid.ts'
import { secondsBehindKey } from './shown/places-to-compare.ts'
import type { Comparison, PlannedPlace } from './shown/planned-pictures.ts'
import { trackOf, settingOf } from '../../graph/output-track.ts'
import { medianOf } from '../../numbers/mean.ts'

/** How many single pictures must look as if they repeat the one before, and how many of them must prove to. */
const suspected = { least: 4, certain: 2 } as const
/** How many pictures of each kind are examined. */
const most = { plain: 2, repeated: 3 } as const
const fewOfUsual = 0.06
/** In cartoons and recorded screens, a larger share of the pictures than this stands still. */
const mostShare = 0.3
/** How many pictures are read, and how many of them come before the one in question; the first ones are not compared. */
const around = { before: 3, count: 8 } as const
/** The mean difference of cells between pictures that are the same, and between those that must not be. */
const apart = { same: 0.15, others: 1.5 } as const
/**
 * How far a picture may be from one that it shows, as a share of the step that the plan takes from one to the next. Noise
 * that an encoder has removed leaves 0.9 of that.
 */
const mostFromShown = 0.5

/** A few of the places at which single pictures may be of one colour, or repeat the one before: both take next to no bytes. */
export function placesOfSingles(looked: Looked, tables: FileTables | undefined): PlannedPlace[] {
  if (looked.film.plan.video === 'copy') return []
  const repeated = hasPictureForEach(looked) ? picturesRepeated(looked) : []
  const chosen = [
    ...picturesPlain(looked).slice(0, most.plain),
    ...(repeated.length < suspected.least
      ? []
      : nearKeys(looked, repeated, tables).slice(0, most.repeated)),
  ]
  const last = looked.tables.picture.at.length - around.count
  return [...new Set(chosen)].map((place) => ({
    first: Math.max(0, Math.min(place - around.before, last)),
    count: around.count,
  }))
}

/** Faults of single pictures at these places, compared with those of the plan. `others`: the places read in any case. */
export function checkSingles(
  looked: Looked,
  places: readonly Comparison[],
  others: readonly Comparison[],
): Check | undefined {
  const isTelling = looked.film.plan.video === 'encode' && hasPictureForEach(looked)
  const repeated = isTelling ? repeatedIn([...places, ...others]) : undefined
  return plainIn(looked, places) ?? repeated
}

/** A picture of one colour takes at most this share of the bytes of its neighbours. */
const mostOfOthers = 0.15

/**
 * Pictures that may be of one colour, the likeliest first: an encoder begins with a key picture behind them although the
 * last one is recent, or their neighbours take many bytes.
 */
function picturesPlain({ film: { plan }, tables: { picture } }: Looked): number[] {
  const { sizes, keys } = picture
  const usual = Number(settingOf(trackOf(plan.tracks, 'video')?.coding ?? [], '-g'))
  const few = fewBytes(plan)
  const shareOf = (i: number): number => {
    const [before = 0, own = 0, behind = 0] = sizes.subarray(Math.max(0, i - 1), i + 2)
    if (i === 0 || keys[i] === 1) return Infinity
    const isBeforeKey = keys[i + 1] === 1 && i + 1 - keys.lastIndexOf(1, i) < usual
    if (own <= few && isBeforeKey) return 0
    const beside = Math.min(before, behind)
    return beside > few ? own / beside : Infinity
  }
  return Array.from(keys, (_, i) => ({ i, share: shareOf(i) }))
    .filter(({ share }) => share < mostOfOthers)
    .toSorted((a, b) => a.share - b.share)
    .map(({ i }) => i)
}

function plainIn({ tables }: Looked, places: readonly Comparison[]): Check | undefined {
  for (const { at, grid, film, planned, isDamaged } of places) {
    if (isDamaged) continue
    const place = film.findIndex((one) => {
      const match = matchOf(grid, one, planned)
      return match && showsNothing(match)
    })
    if (place < 0) continue
    const first = pictureAt(tables.picture.at, at + 0.001)
    const begin = tables.picture.at[first + place + (first === 0 ? 0 : skipped)] ?? at
    // A still shows the first picture that does not come before its moment.
    const moment = Math.floor(begin * 1_000) / 1_000
    return failedAt('pictures', `A picture shows nothing, at ${say(begin)} s.`, moment)
  }
  return undefined
}
/** A remade place begins behind its first two pictures. */
const skipped = 2

/** Whether single pictures are repeated at these places where the plan has a new picture each time. */
function repeatedIn(places: readonly Comparison[]): Check | undefined {
  const repeated = places.filter(isRepeated)
  const [first] = repeated
  if (!first || repeated.length < suspected.certain) return undefined
  const message = 'Single pictures come twice, all over the film.'
  return failedAt('pictures', message, first.at, first.at + first.seconds)
}

/** Whether repeated pictures mean a fault: the film also repeats those of a source that has fewer, or leaves some out. */
function hasPictureForEach({ planned: { clips, timeline }, film: { plan } }: Looked): boolean {
  const { speed = 1 } = timeline
  return clips.every(({ facts: { format, video } }) => {
    const hasAll = format !== 'avi' && video.lateSeconds === 0
    return hasAll && video.averageFps * speed > plan.averageFps * 0.999
  })
}

/** Pictures of next to no bytes between larger ones. */
function picturesRepeated({ film: { plan }, tables: { picture } }: Looked): number[] {
  const { sizes } = picture
  const usual = medianOf(sizes)
  const few = Math.max(fewBytes(plan), fewOfUsual * usual)
  const isFew = (i: number): boolean => (sizes[i] ?? 0) <= few
  const all = Array.from(sizes, (_, i) => i).filter(isFew)
  const isStill = all.length > mostShare * sizes.length
  return isStill ? [] : all.filter((i) => i > 1 && !isFew(i - 1) && !isFew(i + 1))
}

/** Sorts places so that those for which least of the film and its source has to be decoded come first. */
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
  return suspects
    .map((place) => ({ place, seconds: secondsBefore(place) }))
    .toSorted((a, b) => a.seconds - b.seconds)
    .map(({ place }) => place)
}

function isRepeated({ grid, film, planned, isDamaged }: Comparison): boolean {
  const [made, due] = [stepsIn(grid, film), stepsIn(grid, planned)]
  const isMoving = due.length > 0 && due.every((step) => step > apart.others)
  if (!isMoving || isDamaged) return false
  const cells = grid.width * grid.height
  const most = mostFromShown * Math.min(...due)
  const isShown = (one: Buffer | undefined): boolean =>
    one !== undefined && planned.some((own) => meanOff(one, own, 0, cells) < most)
  return made.some((step, i) => step < apart.same && isShown(film[i + 1]))
}
