import { valueAt } from '../../../new-video/request/build-request.ts'
import { between, momentOf, type Section } from './cut-ranges.ts'
import { leftOf } from './left-words.ts'

/** The clip's length, its cuts, and how fast the rest is played. */
export type PreviewClip = {
  readonly duration: number
  readonly cuts: readonly Section[]
  readonly speed: number
}

/** When an element is seen, in seconds of the clip; undefined if all of that time is cut. */
export function shownIn(
  element: unknown,
  { duration, cuts, speed }: PreviewClip,
): Section | undefined {
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

/** What a single output leaves out of the clip if it is an excerpt. */
export function besideResult(request: unknown, clip: PreviewClip): Section[] {
  const outputs = valueAt(request, 'outputs')
  const [only, ...others] = Array.isArray(outputs) ? (outputs as unknown[]) : []
  const startTime = momentOf(valueAt(only, 'startTime'))
  if (others.length > 0 || startTime === undefined) return []
  const endTime = startTime + (momentOf(valueAt(only, 'duration')) ?? Infinity)
  // The times of an output are those of the finished film.
  const part = shownIn({ timing: { startTime, endTime } }, clip)
  return part ? between([part], clip.duration) : []
}
