import { firstPlace } from '../../worker/contract/first-place.ts'
import { between, clampSpans, merged, totalLength } from '../numbers/spans.ts'

/** Pictures `from` up to but not including `to`. */
export type FrameSpan = { readonly from: number; readonly to: number }

/** Sorts spans, merges those that touch, clamps them to the timeline and drops empty ones. */
export function mergeSpans(spans: readonly FrameSpan[], totalFrames: number): FrameSpan[] {
  return merged(clampSpans(spans, { from: 0, to: totalFrames }), 0)
}

/** The kept spans between the removed ones, which must be merged already. */
export function keptSpans(removed: readonly FrameSpan[], totalFrames: number): FrameSpan[] {
  return between(removed, { from: 0, to: totalFrames })
}

/** The parts of some spans that lie outside of others. Both lists are merged. */
export function subtractSpans(
  spans: readonly FrameSpan[],
  without: readonly FrameSpan[],
): FrameSpan[] {
  let next = 0
  return spans.flatMap(({ from, to }) => {
    const rest: FrameSpan[] = []
    let begin = from
    while (next < without.length && (without[next]?.to ?? 0) <= from) next++
    for (let i = next; i < without.length; i++) {
      const hole = without[i]
      if (!hole || hole.from >= to) break
      rest.push({ from: begin, to: hole.from })
      begin = Math.max(begin, hole.to)
    }
    return [...rest, { from: begin, to }].filter((span) => span.from < span.to)
  })
}

/**
 * Converts spans of the kept timeline to spans of the whole. A span across a joint also includes what was removed
 * there, which is removed anyway.
 */
export function spansBeforeCuts(
  spans: readonly FrameSpan[],
  kept: readonly FrameSpan[],
): FrameSpan[] {
  const total = totalLength(kept)
  const originalOf = frameLookup(kept)
  return mergeSpans(spans, total).map(({ from, to }) => ({
    from: originalOf(from),
    to: originalOf(to - 1) + 1,
  }))
}

/** Finds the original frame of a kept frame. */
function frameLookup(kept: readonly FrameSpan[]): (frame: number) => number {
  const starts: number[] = []
  let before = 0
  for (const { from, to } of kept) {
    starts.push(before)
    before += to - from
  }
  return (frame) => {
    const behind = firstPlace(starts.length, (place) => (starts[place] ?? 0) > frame)
    const at = Math.max(0, behind - 1)
    return (kept[at]?.from ?? 0) + frame - (starts[at] ?? 0)
  }
}
