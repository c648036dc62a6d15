import type { Check } from '../../../worker/contract/job/check.ts'
import { failed, passed, pictureAt, say, thousandths, type Looked } from './check-tables.ts'
import type { Packets } from './film-tables.ts'
import type { Stretch } from './look-at-film.ts'
import { compare, isBlack, isFrozen, isShown, movesAllOver } from './small-pictures.ts'

/** What was seen of a stretch of the film and of the same stretch in its source. */
export type SeenTwice = {
  readonly stretch: Stretch
  readonly film: readonly Buffer[]
  readonly source: readonly Buffer[]
}

/** A picture that repeats the one before takes few bytes, in itself or beside the others. */
const repeated = { bytes: 60, pixelsPerByte: 4_000, shareOfUsual: 0.03 } as const
/** Shorter ones are hardly noticed, and happen in every film. */
export const leastQuietSeconds = 0.45
const mostSuspected = 4

/**
 * Where the pictures take next to no bytes: they are frozen or plain there, in the source or only here. The longest of these
 * stretches.
 */
export function quietStretches({ film: { plan }, tables: { picture } }: Looked): Stretch[] {
  const usual = picture.sizes.toSorted()[picture.sizes.length >> 1] ?? 0
  const few = repeated.bytes + (plan.width * plan.height) / repeated.pixelsPerByte
  const most = Math.max(few, usual * repeated.shareOfUsual)
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

/** What explains that the film shows something else than its source there. */
export function isExplained({ planned, film: { plan } }: Looked, { from, to }: Stretch): boolean {
  const {
    fadeIn,
    fadeOut,
    elements = [],
    color,
    stabilize,
    blurFaces,
  } = planned.context.job.options
  if (planned.clips.some(({ seen }) => seen)) return true
  const meets = (start: number, end: number): boolean => from < end && start < to
  if (color !== undefined || stabilize || blurFaces) return true
  if (meets(0, fadeIn?.duration ?? 0)) return true
  if (fadeOut && meets(plan.durationSeconds - fadeOut.duration, plan.durationSeconds)) return true
  return elements.some(({ type }) => type !== 'text' && type !== 'audio')
}

/** A cut or a fade may come a picture or two sooner than it is told. */
const leastBlack = 8

export function checkBlack(seen: readonly SeenTwice[]): Check {
  const fault = seen.find(({ film, source }) => {
    const lost = film.filter((one, i) => isBlack(one) && isShown(source[i]))
    return lost.length >= Math.max(leastBlack, film.length * 0.6)
  })
  if (!fault) return passed('black', 'It is black only where its source is.')
  return told('black', fault.stretch, 'It is black where its source shows something')
}

export function checkFrozen(seen: readonly SeenTwice[]): Check {
  const fault = seen.find(({ film, source }) => isFrozen(film) && movesAllOver(source))
  if (!fault) return passed('frozen', 'It stands still only where its source does.')
  return told('frozen', fault.stretch, 'It stands still where its source moves')
}

function told(name: Check['name'], { from, to }: Stretch, what: string): Check {
  const stretch = { startTime: thousandths(from), endTime: thousandths(to) }
  return { ...failed(name, `${what}: from ${say(from)} to ${say(to)} s.`), stretch }
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

const samePicture = 0.985
const mostGain = 1.1
const mostApart = 10

/** Colours that are stored in one way and said to be stored in another look too pale, too hard or tinted. */
export function checkLook(seen: readonly SeenTwice[]): Check | undefined {
  const looks = seen.flatMap(({ film: [film], source: [source], stretch }) =>
    film && source ? [{ ...compare(source, film), stretch }] : [],
  )
  // At a change of scene the neighbour may have been taken.
  const same = looks.filter(({ correlation }) => correlation > samePicture)
  const isOff = ({ gain, apart }: (typeof looks)[number]): boolean =>
    gain > mostGain || gain < 1 / mostGain || apart > mostApart
  const [first] = same
  if (!first || !same.every(isOff)) return undefined
  return {
    ...told('colors', first.stretch, 'Its colours are not those of its source'),
    result: 'warned',
  }
}

/** A key picture in the middle of the film, which is decoded anyway. */
export function keysToCompare({ tables: { picture } }: Looked): { place: number; at: number }[] {
  const times = [...picture.at].filter((_, i) => picture.keys[i] === 1)
  // Whether the first picture is that of the source only shows where nothing is cut off before it.
  const wanted = [Math.max(1, times.length >> 1)]
  return wanted.flatMap((place) => {
    const at = times[place]
    return at === undefined ? [] : [{ place, at }]
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
