import type { Check } from '../../../worker/contract/job/check.ts'
import { passed, pictureAt, say, type Looked, failedAt } from './check-tables.ts'
import type { Packets } from './film-tables.ts'
import type { Stretch } from './look-at-film.ts'
import type { Beside } from './shown/planned-pictures.ts'
import {
  differenceOf,
  isBlack,
  isFrozen,
  isShown,
  movesAllOver,
  whereMostApart,
  compare,
} from './small-pictures.ts'

/** What was seen of a stretch of the film and of the same stretch in its source. */
export type SeenTwice = {
  readonly stretch: Stretch
  readonly film: readonly Buffer[]
  readonly source: readonly Buffer[]
  /** What the request itself explains of it. */
  readonly explained?: ReadonlySet<'black' | 'frozen'>
}

/** A picture that repeats the one before takes few bytes, in itself or beside the others. */
const repeated = { bytes: 60, pixelsPerByte: 4_000, shareOfUsual: 0.03 } as const

/** How many bytes a picture takes at most that repeats the one before. */
export function fewBytes({ width, height }: Looked['film']['plan']): number {
  return repeated.bytes + (width * height) / repeated.pixelsPerByte
}

/** Shorter ones are hardly noticed, and happen in every film. */
export const leastQuietSeconds = 0.45
const mostSuspected = 4

/**
 * Where the pictures take next to no bytes: they are frozen or plain there, in the source or only here. The longest of these
 * stretches.
 */
export function quietStretches({ film: { plan }, tables: { picture } }: Looked): Stretch[] {
  const usual = picture.sizes.toSorted()[picture.sizes.length >> 1] ?? 0
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
    // Players need key pictures within a still, too.
    else if (picture.keys[i] !== 1) end(at)
  })
  end(picture.endSeconds)
  return longest(found)
}

/**
 * What was seen of the key pictures, in the order of the table; nothing where the table marks others than the decoder takes for key
 * pictures, such as those at which a stream only recovers.
 */
export function keysSeen(picture: Packets, seen: readonly Buffer[]): readonly Buffer[] {
  const marked = picture.keys.reduce((count, isKey) => count + isKey, 0)
  return seen.length === marked ? seen : []
}

/** Where key pictures are black. */
export function blackStretches(picture: Packets, keys: readonly Buffer[]): Stretch[] {
  const times = [...picture.at].filter((_, i) => picture.keys[i] === 1)
  return longest(
    keys.flatMap((key, i) => {
      const from = times[i]
      if (from === undefined || !isBlack(key)) return []
      return [{ from, to: Math.min(times[i + 1] ?? picture.endSeconds, from + 1) }]
    }),
  )
}

function longest(stretches: readonly Stretch[]): Stretch[] {
  return stretches.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, mostSuspected)
}

/** A cut or a fade may come a picture or two sooner than it is told. */
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
      // The first and the last one may be of another scene, where times are rounded.
      movesAllOver(source.slice(1, -1)),
  )
  if (!fault) return passed('frozen', 'It stands still only where its source does.')
  return told('frozen', fault.stretch, 'It stands still where its source moves')
}

function told(name: Check['name'], { from, to }: Stretch, what: string): Check {
  return failedAt(name, `${what}: from ${say(from)} to ${say(to)} s.`, from, to)
}

/** Whether nothing was asked for that changes how the pictures of the source look. */
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
/** Half of it at a usual quality; what is made very small differs more. */
const mostOff = { usual: 4.5, small: 9 } as const
const usualQuality = 40

/**
 * A program takes a source that does not name its matrix for one of standard definition. The film says that it is of high definition, as
 * players take it, and so looks otherwise to that program; what is stored in both is compared without filters.
 */
export function isTakenForOther({ planned, film: { plan } }: Looked): boolean {
  const { isMatrixTagged, colorMatrix } = planned.clips[0].facts.video
  return plan.video === 'encode' && !isMatrixTagged && colorMatrix === 'bt709'
}

/** Colours that are stored in one way and said to be stored in another look too pale, too hard or tinted. */
export function checkLook(looked: Looked, seen: readonly SeenTwice[]): Check | undefined {
  if (isTakenForOther(looked)) return undefined
  const { compressionQuality, maxBytes, maxBitrate } = looked.planned.context.job.options
  const isSmall = compressionQuality < usualQuality || (maxBitrate ?? maxBytes) !== undefined
  const least = isSmall ? mostOff.small : mostOff.usual
  const looks = seen.flatMap(({ film: [film], source: [source], stretch }) =>
    film && source ? [{ ...compare(source, film), stretch }] : [],
  )
  // At a change of scene the neighbour may have been taken.
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
 * A key picture, which is decoded anyway: behind the last cut if there is one, else near the middle of the film. One whose place in
 * the source is looked at anyway, or the one for which least of the source has to be decoded, as `secondsBefore` tells.
 */
export function keyToCompare(
  { tables: { picture } }: Looked,
  cuts: readonly number[],
  { secondsBefore, isSeen }: KeyCosts,
): { place: number; at: number }[] {
  const times = [...picture.at].filter((_, i) => picture.keys[i] === 1)
  const cut = cuts.at(-1)
  const behind = times.flatMap((at, place) =>
    place > 0 && at > (cut ?? 0) + leastQuietSeconds ? [{ place, at }] : [],
  )
  const middle = picture.endSeconds / 2
  const near = cut === undefined ? (at: number) => Math.abs(at - middle) : (at: number) => -at
  const some = behind.toSorted((a, b) => near(a.at) - near(b.at)).slice(0, mostKeys)
  const costs = some.map(({ at }) => (isSeen(at) ? -1 : secondsBefore(at)))
  // What is cut off at the beginning may leave the first picture without a place in the source.
  const cheapest = some[costs.indexOf(Math.min(...costs))] ?? { place: 0, at: times[0] }
  return cheapest.at === undefined ? [] : [{ place: cheapest.place, at: cheapest.at }]
}

/** Which of the pictures of a source is that of the film, and how well it fits beside the one that it has to be. */
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

/** Steps of brightness in which two pictures differ if something in them has moved. */
const leastDifference = 3
const clearlyLess = 0.4

/** Whether one of two pictures that are to be the same shows something else. */
export function isUnlike(film: Buffer, source: Buffer): boolean {
  return differenceOf(film, source) > leastDifference
}

/** The same of the pictures of a place and those that the plan has made for it, in brightness or in a colour. */
export function isUnlikePlanned({ grid, film, planned, ahead }: Beside): boolean {
  const cells = grid.width * grid.height
  const planes = [0, 1, 2].map((plane) => [plane * cells, (plane + 1) * cells] as const)
  return film.some((one, i) => {
    const due = planned[i + ahead]
    return planes.some(
      ([from, to]) =>
        due && whereMostApart(one.subarray(from, to), due.subarray(from, to)) > leastDifference,
    )
  })
}

/** The pictures of a stretch, from the one shown at its beginning up to the last one before its end. */
export function picturesOf(picture: Packets, { from, to }: Stretch, most: number) {
  const first = pictureAt(picture.at, from)
  const step = ((picture.at[first + 1] ?? 0) - (picture.at[first] ?? 0)) / 4
  const last = Math.max(first, pictureAt(picture.at, to - step))
  const count = Math.min(most, last - first + 1)
  const begin = Math.max(0, (picture.at[first] ?? 0) - Math.max(0, step))
  const end = picture.at[first + count] ?? picture.endSeconds + 1
  return { from: begin, seconds: end - begin, count }
}
