import type { Suggestion } from '../../../worker/contract/job/report.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { mergeSpans, subtractSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import { leastCutSeconds } from '../../sound/pauses/find-pauses.ts'
import type { FillerCut } from './cut-spoken.ts'
import { thousandthsAbove, thousandthsBelow } from '../../numbers/thousandths.ts'

/** What could be cut, in pictures of the joined timeline. */
type FoundCuts = {
  readonly silences: readonly FrameSpan[]
  readonly fillers: readonly FillerCut[]
}

/** The spans that the request removes already. Both lists are merged, and `all` includes everything in `ofFiles`. */
type CutsSoFar = {
  readonly all: readonly FrameSpan[]
  /** By the segments of single files. */
  readonly ofFiles: readonly FrameSpan[]
}

type SuggestedPart = FrameSpan & Pick<Suggestion, 'why' | 'text'>

/**
 * Turns the findings into entries for `removeSegments`, at most this many: in the time of the joined clips after their own
 * cuts, in order, without overlap, and without what the request removes already. Also tells how many were left out.
 */
export function listSuggestions(
  { silences, fillers }: FoundCuts,
  asked: CutsSoFar,
  { timeline, most }: { timeline: Timeline; most: number },
): { suggestions: Suggestion[]; unlisted: number } {
  const fps = fpsOf(timeline.frameRate)
  const said = apartFrom(asked.all, joinOverlaps(fillers))
  const quiet = mergeSpans(silences, timeline.totalFrames).map((span): SuggestedPart => {
    return { ...span, why: 'silence' }
  })
  const found = shareRests(said, apartFrom(asked.all, quiet), leastCutSeconds * fps)
  const all = joinPieces(found.map((part) => ({ ...part, ...placed(part, asked.ofFiles) })))
    .map((part) => inSeconds(part, fps))
    .filter(({ startTime, endTime }) => startTime < endTime)
  const suggestions = longest(all, most)
  return { suggestions, unlisted: all.length - suggestions.length }
}

/** Two that overlap become one, with the reason of the first: "um" within "we um we". */
function joinOverlaps(fillers: readonly FillerCut[]): SuggestedPart[] {
  const joined: SuggestedPart[] = []
  for (const { from, to, why, text } of fillers.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && from < last.to) joined.splice(-1, 1, { ...last, to: Math.max(last.to, to) })
    else joined.push({ from, to, why: why === 'repeat' ? 'repeated_start' : 'filler', text })
  }
  return joined
}

function apartFrom(
  removed: readonly FrameSpan[],
  parts: readonly SuggestedPart[],
): SuggestedPart[] {
  return parts.flatMap((part) =>
    subtractSpans([part], removed).map((span) => ({ ...part, ...span })),
  )
}

/**
 * A silence keeps what the words beside it leave; a rest too short to be cut by itself is cut with these words, so that all
 * entries together remove what both would.
 */
function shareRests(
  said: readonly SuggestedPart[],
  quiet: readonly SuggestedPart[],
  leastFrames: number,
): SuggestedPart[] {
  const words = [...said]
  const rests = quiet.flatMap((part) => {
    const spans = subtractSpans([part], words)
    return spans.filter((span) => {
      if (span.to - span.from >= leastFrames - 1e-6) return true
      const i = words.findIndex(({ from, to }) => to === span.from || from === span.to)
      const beside = words[i]
      if (!beside) return true
      const { from, to } = beside
      words[i] = { ...beside, from: Math.min(from, span.from), to: Math.max(to, span.to) }
      return false
    })
  })
  const silences = rests.map((span): SuggestedPart => ({ ...span, why: 'silence' }))
  return [...words, ...silences].toSorted((a, b) => a.from - b.from)
}

/** Converts to the time in which top-level `removeSegments` counts: after the cuts of single files. */
function placed({ from, to }: FrameSpan, ofFiles: readonly FrameSpan[]): FrameSpan {
  return { from: placeOf(from, ofFiles), to: placeOf(to, ofFiles) }
}

function placeOf(frame: number, removed: readonly FrameSpan[]): number {
  return removed.reduce(
    (place, { from, to }) => place - Math.max(0, Math.min(frame, to) - from),
    frame,
  )
}

/** Joins parts that a cut of a file had separated. */
function joinPieces(parts: readonly SuggestedPart[]): SuggestedPart[] {
  const joined: SuggestedPart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const isSame = last?.to === part.from && last.why === part.why && last.text === part.text
    if (isSame) joined.splice(-1, 1, { ...last, to: part.to })
    else joined.push(part)
  }
  return joined
}

/** Times are rounded inward, by less than half a picture: `removeSegments` rounds them to the same pictures. */
function inSeconds({ from, to, why, text }: SuggestedPart, fps: number): Suggestion {
  return {
    startTime: Math.max(0, thousandthsAbove(from / fps)),
    endTime: thousandthsBelow(to / fps),
    why,
    ...(text !== undefined && { text: text.slice(0, longestText) }),
  }
}

const longestText = 200

function longest(all: readonly Suggestion[], most: number): Suggestion[] {
  if (all.length <= most) return [...all]
  const length = ({ startTime, endTime }: Suggestion): number => endTime - startTime
  const kept = new Set(all.toSorted((a, b) => length(b) - length(a)).slice(0, most))
  return all.filter((one) => kept.has(one))
}
