import type { Check } from '../../../worker/contract/job/check.ts'
import { passed, pictureAt, say, type Looked, failedAt } from './check-tables.ts'
import { keyTimes, type ShownPackets } from './film-tables.ts'
import type { Stretch } from './look-at-film.ts'
import type { Comparison } from './shown/planned-pictures.ts'
import {
  differenceOf,
  isBlack,
  isFrozen,
  isShown,
  movesAllOver,
  whereMostApart,
  compare,
} from './small-pictures.ts'
import { medianOf } from '../../numbers/mean.ts'

/** The pictures of a stretch of the film and of the same stretch in its source. */
export type SeenTwice = {
  readonly stretch: Stretch
  readonly film: readonly Buffer[]
  readonly source: readonly Buffer[]
  /** The oddities in it that the request itself explains. */
  readonly explained?: ReadonlySet<'black' | 'frozen'>
}

/** Limits for a picture that repeats the one before: it takes few bytes, in itself or compared with the others. */
const repeated = { bytes: 60, pixelsPerByte: 4_000, shareOfUsual: 0.03 } as const

/** The most bytes that a picture takes if it repeats the one before. */
export function fewBytes({ width, height }: Looked['film']['plan']): number {
  return repeated.bytes + (width * height) / repeated.pixelsPerByte
}

/** Shorter stretches are hardly noticed, and occur in every film. */
export const leastQuietSeconds = 0.45
const mostSuspected = 4

/**
 * Stretches whose pictures take next to no bytes, the longest ones: they are frozen or plain, either in the source too or
 * only in the film.
 */
export function quietStretches({ film: { plan }, tables: { picture } }: Looked): Stretch[] {
  const usual = medianOf(picture.sizes)
  const most = Math.max(fewBytes(plan), usual * repeated.shareOfUsual)
  const found: Stretch[] = []
  let from: number | undefined
  const end = (to: number): void => {
    if (from !== undefined && to - from >= leastQuietSeconds) found.push({ from, to })
    from = undefined
  }
  picture.at.forEach((at, i) => {
    const isQuiet = (picture.sizes[i] ?? 0) <= most
    if (isQuiet) from ??= at
    // Players need key pictures within a still as well.
    else if (picture.keys[i] !== 1) end(at)
  })
  end(picture.endSeconds)
  return longest(found)
}

/**
 * The key pictures that were read, in the order of the table. None if the table marks other pictures than the decoder
 * takes for key pictures, such as those at which a stream only recovers.
 */
export function keysSeen(picture: ShownPackets, seen: readonly Buffer[]): readonly Buffer[] {
  const marked = picture.keys.reduce((count, isKey) => count + isKey, 0)
  return seen.length === marked ? seen : []
}

/** Where key pictures are black. */
export function blackStretches(picture: ShownPackets, keys: readonly Buffer[]): Stretch[] {
  const places = [...picture.at.keys()].filter((i) => picture.keys[i] === 1)
  const timeOf = (place = Infinity): number => picture.at[place] ?? picture.endSeconds
  return longest(
    keys.flatMap((key, i) => {
      const place = places[i]
      if (place === undefined || !isBlack(key)) return []
      const from = timeOf(place)
      const enough = Math.max(timeOf(place + picturesOfBlack), from + leastQuietSeconds)
      return [{ from, to: Math.min(timeOf(places[i + 1]), enough, from + 1) }]
    }),
  )
}

/** Enough to tell that a film is black, and to leave out those next to a cut. */
const picturesOfBlack = 16

function longest(stretches: readonly Stretch[]): Stretch[] {
  return stretches.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, mostSuspected)
}

/** A cut or a fade may come a picture or two earlier than planned. */
const leastBlack = 8

export function checkBlack(seen: readonly SeenTwice[]): Check {
  const fault = seen.find(({ film, source, explained }) => {
    if (explained?.has('black')) return false
    // At another rate or speed, the source has more or fewer pictures of the same stretch.
    const shown = (i: number) => source[Math.floor((i * source.length) / film.length)]
    const lost = film.filter((one, i) => isBlack(one) && isShown(shown(i)))
    return lost.length >= Math.max(leastBlack, film.length * 0.6)
  })
  if (!fault) return passed('black', 'It is black only where its source is.')
  return told('black', fault.stretch, 'It is black where its source shows something')
}

export function checkFrozen(seen: readonly SeenTwice[]): Check {
  const fault = seen.find(
    ({ film, source, explained }) =>
      explained?.has('frozen') !== true &&
      isFrozen(film) &&
      !film.every(isBlack) &&
      // Where times are rounded, the first and the last picture may belong to another scene.
      movesAllOver(source.slice(1, -1)),
  )
  if (!fault) return passed('frozen', 'It stands still only where its source does.')
  return told('frozen', fault.stretch, 'It stands still where its source moves')
}

function told(name: Check['name'], { from, to }: Stretch, what: string): Check {
  return failedAt(name, `${what}: from ${say(from)} to ${say(to)} s.`, from, to)
}

/** Whether the request leaves the pictures of the source as they look. */
export function looksAsSource({ planned, film: { plan } }: Looked): boolean {
  const { crop, color, flip, rotate, elements = [], captions } = planned.context.job.options
  const { fadeIn, fadeOut, stabilize, blurFaces } = planned.context.job.options
  const isChanged =
    (crop ?? color ?? flip ?? captions ?? fadeIn ?? fadeOut) !== undefined || rotate !== 0
  const { facts } = planned.clips[0]
  const { width, height, transfer, hasAlpha } = facts.video
  const isSameShape = Math.abs(width / height / (plan.width / plan.height) - 1) < 0.02
  const isPlain = planned.clips.length === 1 && transfer === 'sdr' && !hasAlpha && isSameShape
  return (
    isPlain &&
    !isChanged &&
    !stabilize &&
    !blurFaces &&
    elements.every(({ type }) => type === 'audio')
  )
}

const samePicture = 0.97
const mostGain = 1.1
const mostApart = 10
/** At most half as much is seen at a usual quality; a film that is made very small differs more. */
const mostOff = { usual: 4.5, small: 9 } as const
const usualQuality = 40

/**
 * Whether ffmpeg takes the source for standard definition, because it names no matrix. The film names that of high definition,
 * which players assume, so the two look different to ffmpeg; they are compared as stored, without filters.
 */
export function isTakenForOther({ planned, film: { plan } }: Looked): boolean {
  const { isMatrixTagged, colorMatrix } = planned.clips[0].facts.video
  return plan.video === 'encode' && !isMatrixTagged && colorMatrix === 'bt709'
}

/** Colours whose tags do not match how they are stored look too pale, too hard or tinted. */
export function checkLook(looked: Looked, seen: readonly SeenTwice[]): Check | undefined {
  if (isTakenForOther(looked)) return undefined
  const { compressionQuality, maxBytes, maxBitrate } = looked.planned.context.job.options
  const isSmall = compressionQuality < usualQuality || (maxBitrate ?? maxBytes) !== undefined
  const least = isSmall ? mostOff.small : mostOff.usual
  const looks = seen.flatMap(({ film: [film], source: [source], stretch }) =>
    film && source ? [{ ...compare(source, film), stretch }] : [],
  )
  // At a change of scene, the neighbouring picture may have been read.
  const same = looks.filter(({ correlation }) => correlation > samePicture)
  const isOff = ({ gain, apart, off }: (typeof looks)[number]): boolean =>
    gain > mostGain || gain < 1 / mostGain || apart > mostApart || off > least
  const [first] = same
  if (!first || !same.every(isOff)) return undefined
  return told('colors', first.stretch, 'Its colours are not those of its source')
}

const mostKeys = 24

type KeyCosts = {
  readonly secondsBefore: (at: number) => number
  readonly isSeen: (at: number) => boolean
}

/**
 * A key picture, which is decoded anyway: behind the last cut, or else near the middle of the film. Preferably one whose place
 * in the source is read anyway, or else the one with the least to decode, as `secondsBefore` tells.
 */
export function keyToCompare(
  { tables: { picture } }: Looked,
  cuts: readonly number[],
  { secondsBefore, isSeen }: KeyCosts,
): { place: number; at: number }[] {
  const times = keyTimes(picture)
  const cut = cuts.at(-1)
  const behind = times.flatMap((at, place) =>
    place > 0 && at > (cut ?? 0) + leastQuietSeconds ? [{ place, at }] : [],
  )
  const middle = picture.endSeconds / 2
  const near = cut === undefined ? (at: number) => Math.abs(at - middle) : (at: number) => -at
  const some = behind.toSorted((a, b) => near(a.at) - near(b.at)).slice(0, mostKeys)
  const costs = some.map(({ at }) => (isSeen(at) ? -1 : secondsBefore(at)))
  // If the beginning was cut off, the first picture may have no place in the source.
  const cheapest = some[costs.indexOf(Math.min(...costs))] ?? { place: 0, at: times[0] }
  return cheapest.at === undefined ? [] : [{ place: cheapest.place, at: cheapest.at }]
}

/** Which picture of the source is shown in the film, and how well it fits compared with the one that should be. */
export function placeIn(
  film: Buffer,
  source: readonly Buffer[],
  due: number,
): { readonly place: number; readonly isClear: boolean } {
  const off = source.map((one) => differenceOf(film, one))
  const least = Math.min(...off)
  const place = off.indexOf(least)
  const at = off[due] ?? 0
  return { place, isClear: at > leastDifference && least < at * clearlyLess }
}

/** Two pictures differ by this many steps of brightness if something in them has moved. */
const leastDifference = 3
const clearlyLess = 0.4

/** Whether two pictures that should be the same show different things. */
export function isUnlike(film: Buffer, source: Buffer): boolean {
  return differenceOf(film, source) > leastDifference
}

/**
 * The same for the pictures of a place and those that the plan has made for it, in brightness or in a colour. The plan may be
 * made a picture earlier or later.
 */
export function isUnlikePlanned({ grid, film, planned, ahead }: Comparison): boolean {
  const cells = grid.width * grid.height
  const planes = [0, 1, 2].map((plane) => [plane * cells, (plane + 1) * cells] as const)
  const areApart = (one: Buffer, due: Buffer): boolean =>
    planes.some(
      ([from, to]) =>
        whereMostApart(one.subarray(from, to), due.subarray(from, to)) > leastDifference,
    )
  return film.some((one, i) => {
    const place = i + ahead
    const around = [planned[place], planned[place - 1], planned[place + 1]]
    return around[0] !== undefined && around.every((due) => !due || areApart(one, due))
  })
}

/** The pictures of a stretch, from the one shown at its beginning up to the last one before its end. */
export function picturesOf(picture: ShownPackets, { from, to }: Stretch, most: number) {
  const first = pictureAt(picture.at, from)
  const step = ((picture.at[first + 1] ?? 0) - (picture.at[first] ?? 0)) / 4
  const last = Math.max(first, pictureAt(picture.at, to - step))
  const count = Math.min(most, last - first + 1)
  const begin = Math.max(0, (picture.at[first] ?? 0) - Math.max(0, step))
  const end = picture.at[first + count] ?? picture.endSeconds + 1
  return { from: begin, seconds: end - begin, count }
}
