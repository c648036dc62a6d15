import { secondsOf } from '../../../../contract/input/clock-time.ts'
import { valueAt } from '../../../new-video/request/build-request.ts'

export type Section = { startTime: number; endTime: number }
export type SectionEdge = keyof Section

/** A shorter range was not meant as a cut: the pointer slipped. */
const shortestSeconds = 0.1

export const rounded = (seconds: number) => Math.round(seconds * 100) / 100
const within = (seconds: number, least: number, most: number) =>
  rounded(Math.min(Math.max(seconds, least), most))

/** The range with one end moved to another second of the clip; the ends never change places. */
export function moveEdge(range: Section, edge: SectionEdge, to: number, duration: number): Section {
  return edge === 'startTime'
    ? { ...range, startTime: within(to, 0, range.endTime - shortestSeconds) }
    : { ...range, endTime: within(to, range.startTime + shortestSeconds, duration) }
}

/** The range moved to another place, at the same length. */
export function moveRange({ startTime, endTime }: Section, by: number, duration: number): Section {
  const length = endTime - startTime
  const start = within(startTime + by, 0, Math.max(0, duration - length))
  return { startTime: start, endTime: rounded(start + length) }
}

/** The range between two seconds of the clip, in either order; undefined if it is too short. */
export function rangeBetween(a: number, b: number, duration: number): Section | undefined {
  const range = {
    startTime: within(Math.min(a, b), 0, duration),
    endTime: within(Math.max(a, b), 0, duration),
  }
  return range.endTime - range.startTime < shortestSeconds ? undefined : range
}

/** The ranges of a request that a strip can show. */
export function rangesIn(segments: unknown): (Section | undefined)[] {
  if (!Array.isArray(segments)) return []
  return segments.map(rangeOf)
}

function rangeOf(segment: unknown): Section | undefined {
  if (typeof segment !== 'object' || segment === null) return undefined
  const { startTime, endTime } = segment as Partial<Record<SectionEdge, unknown>>
  const [from, to] = [momentOf(startTime), momentOf(endTime)]
  return from !== undefined && to !== undefined && to > from
    ? { startTime: from, endTime: to }
    : undefined
}

/** The second that a value stands for: controls hold numbers, JSON written by hand may have a time such as `"1:02.5"`. */
export function momentOf(given: unknown): number | undefined {
  return typeof given === 'number' ? given : secondsOf(String(given))
}

/** What `keepSegments` and `trim` remove from the clip. */
export function takenAway(request: unknown, duration: number): Section[] {
  const named = rangesIn(valueAt(request, 'keepSegments')).filter((range) => range !== undefined)
  const outside = named.length > 0 ? between(named, duration) : []
  const start = momentOf(valueAt(request, 'trim.start')) ?? 0
  const end = momentOf(valueAt(request, 'trim.end')) ?? 0
  const ends = [
    { startTime: 0, endTime: start },
    { startTime: duration - end, endTime: duration },
  ]
  return [...outside, ...ends].filter(({ startTime, endTime }) => startTime < endTime)
}

/** The ranges between, before and after these. */
export function between(kept: readonly Section[], duration: number): Section[] {
  let before = 0
  const ordered = kept.toSorted((a, b) => a.startTime - b.startTime)
  return [...ordered, { startTime: duration, endTime: duration }].map(({ startTime, endTime }) => {
    const gap = { startTime: before, endTime: startTime }
    before = Math.max(before, endTime)
    return gap
  })
}

/** How fast the film plays, as far as the request gives a valid speed. */
export function speedOf(request: unknown): number {
  const speed = valueAt(request, 'speed')
  return typeof speed === 'number' && speed >= 0.25 && speed <= 4 ? speed : 1
}

/** A background that shades these ranges of a strip. */
export function shaded(ranges: readonly Section[], duration: number): string {
  const percent = (seconds: number) => `${((seconds / duration) * 100).toFixed(2)}%`
  return ranges
    .map(({ startTime, endTime }) => {
      const [from, to] = [percent(startTime), percent(endTime)]
      const stops = `transparent ${from}, var(--shade) ${from} ${to}, transparent ${to}`
      return `linear-gradient(90deg, ${stops})`
    })
    .join(', ')
}
