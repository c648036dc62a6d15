import { suggestedName } from '../../../contract/options/outputs/outputs.ts'
import type { ShownVideo } from '../../../store/tables/tables.ts'
import type { Request } from './build-request.ts'
import { leaveOut } from './leave-out.ts'

type Span = { readonly startTime: number; readonly endTime: number }

/** What a request for one clip does not ask for once more. */
const ofTheWhole = ['suggestClips', 'clips', 'chapters', 'outputs', 'keepSegments'] as const

/**
 * The request of a video for one of the clips that were suggested in it: upright and with captions, as most are wanted. Undefined
 * if no such clip was suggested.
 */
export function asClip(
  request: Request,
  { request: former, result }: Pick<ShownVideo, 'request' | 'result'>,
  place: number,
): Request | undefined {
  const { clips = [] } = result?.moments ?? {}
  const clip = clips[place - 1]
  if (!clip) return undefined
  const { title, startTime, endTime } = clip
  const { aspectRatio, captions = {} } = former
  // Two people who sit apart would both be outside the middle of the picture.
  const isUnshaped = aspectRatio === 'original'
  const shape = { aspectRatio: '9:16', ...(isUnshaped && { resizeMode: 'follow' }) }
  const look = { videoName: title, ...shape, captions }
  const shared = { ...leaveOut(request, ...ofTheWhole), ...look }
  if (former.analyzeOnly) {
    const keepSegments = without({ startTime, endTime }, former.removeSegments ?? [])
    return { ...leaveOut(shared, 'removeSegments'), keepSegments }
  }
  // Its times count in the film that the same cuts leave.
  const { keepSegments } = former
  const duration = Math.round((endTime - startTime) * 1_000) / 1_000
  const outputs = [{ name: suggestedName(place - 1), startTime, duration }]
  return { ...shared, outputs, ...(keepSegments && { keepSegments }) }
}

/** What is left of a stretch. */
function without({ startTime, endTime }: Span, removed: readonly Span[]): Span[] {
  const holes = removed.toSorted((a, b) => a.startTime - b.startTime)
  const left: Span[] = []
  let from = startTime
  for (const hole of holes) {
    left.push({ startTime: from, endTime: Math.min(hole.startTime, endTime) })
    from = Math.max(from, hole.endTime)
  }
  return [...left, { startTime: from, endTime }].filter((one) => one.startTime < one.endTime)
}
