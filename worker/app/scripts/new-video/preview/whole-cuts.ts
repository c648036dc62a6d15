import { valueAt } from '../../../new-video/request/path-steps.ts'
import { momentOf, rangesIn, type Range } from './cut-ranges.ts'

/** What `keepSegments` and `trim` take away of the clip. */
export function takenAway(request: unknown, duration: number): Range[] {
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

function between(kept: readonly Range[], duration: number): Range[] {
  let before = 0
  const ordered = kept.toSorted((a, b) => a.startTime - b.startTime)
  return [...ordered, { startTime: duration, endTime: duration }].map(({ startTime, endTime }) => {
    const gap = { startTime: before, endTime: startTime }
    before = Math.max(before, endTime)
    return gap
  })
}

/** How fast the film plays, as far as the request says so by now. */
export function speedOf(request: unknown): number {
  const speed = valueAt(request, 'speed')
  return typeof speed === 'number' && speed >= 0.25 && speed <= 4 ? speed : 1
}

/** A background that shades these parts of a strip. */
export function shaded(ranges: readonly Range[], duration: number): string {
  const percent = (seconds: number) => `${((seconds / duration) * 100).toFixed(2)}%`
  return ranges
    .map(({ startTime, endTime }) => {
      const [from, to] = [percent(startTime), percent(endTime)]
      const stops = `transparent ${from}, var(--shade) ${from} ${to}, transparent ${to}`
      return `linear-gradient(90deg, ${stops})`
    })
    .join(', ')
}
