import { valueAt } from '../../../new-video/request/build-request.ts'
import type { Range } from './cut-ranges.ts'
import { leftOf } from './left-words.ts'

/** What of the clip is there: its length, what is cut out of it, and how fast the rest is played. */
export type Clip = {
  readonly duration: number
  readonly cuts: readonly Range[]
  readonly speed: number
}

/** When something on top is seen, in seconds of the clip; undefined if all of that is cut. */
export function shownIn(element: unknown, { duration, cuts, speed }: Clip): Range | undefined {
  const number = (value: unknown, usual: number) => (typeof value === 'number' ? value : usual)
  const isWhole = valueAt(element, 'timing.entireVideo') === true
  const left = leftOf(cuts)
  const end = left.placeOf(duration) / speed
  const from = isWhole ? 0 : number(valueAt(element, 'timing.startTime'), 0)
  const to = isWhole ? end : Math.min(end, number(valueAt(element, 'timing.endTime'), end))
  if (to <= from) return undefined
  const momentAt = (finished: number) => left.momentAt(finished * speed)
  return { startTime: momentAt(from), endTime: to < end ? momentAt(to) : duration }
}
