import { secondsOf } from '../../../../contract/input/clock-time.ts'

export type Range = { startTime: number; endTime: number }
export type Edge = keyof Range

/** A shorter range was not meant as a cut: the hand slipped. */
const shortestSeconds = 0.1

const rounded = (seconds: number) => Math.round(seconds * 100) / 100
const within = (seconds: number, least: number, most: number) =>
  rounded(Math.min(Math.max(seconds, least), most))

/** The range with one of its ends at another second of the clip; it never turns round. */
export function moveEdge(range: Range, edge: Edge, to: number, duration: number): Range {
  return edge === 'startTime'
    ? { ...range, startTime: within(to, 0, range.endTime - shortestSeconds) }
    : { ...range, endTime: within(to, range.startTime + shortestSeconds, duration) }
}

/** The range as long as it is, at another place of the clip. */
export function moveRange({ startTime, endTime }: Range, by: number, duration: number): Range {
  const length = endTime - startTime
  const start = within(startTime + by, 0, Math.max(0, duration - length))
  return { startTime: start, endTime: rounded(start + length) }
}

/** What lies between two seconds of the clip, whichever comes first; undefined if that is too little. */
export function rangeBetween(a: number, b: number, duration: number): Range | undefined {
  const range = {
    startTime: within(Math.min(a, b), 0, duration),
    endTime: within(Math.max(a, b), 0, duration),
  }
  return range.endTime - range.startTime < shortestSeconds ? undefined : range
}

/** The ranges of a request that a strip can show. */
export function rangesIn(segments: unknown): (Range | undefined)[] {
  if (!Array.isArray(segments)) return []
  return segments.map(rangeOf)
}

function rangeOf(segment: unknown): Range | undefined {
  if (typeof segment !== 'object' || segment === null) return undefined
  const { startTime, endTime } = segment as Partial<Record<Edge, unknown>>
  const [from, to] = [momentOf(startTime), momentOf(endTime)]
  return from !== undefined && to !== undefined && to > from
    ? { startTime: from, endTime: to }
    : undefined
}

/** Controls hold seconds; JSON of somebody's own may have a time such as `"1:02.5"`. */
export function momentOf(given: unknown): number | undefined {
  return typeof given === 'number' ? given : secondsOf(String(given))
}
