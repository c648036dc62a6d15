type Span = { readonly startMs: number; readonly endMs: number }

const minMs = 1_000
const maxMs = 7_000

/**
 * Gives each span, in order, one to seven seconds inside the video, without overlaps. A span starts at its own time if
 * there is room; if the video is too short for all of them, they share it evenly.
 */
export function placeInTime(spans: readonly Span[], totalMs: number): Span[] {
  const leastMs = Math.min(minMs, Math.floor(totalMs / Math.max(1, spans.length)))
  const starts = startsFrom(spans, totalMs, leastMs)
  return starts.map((startMs, i) => {
    const wantedEnd = Math.max(spans[i]?.endMs ?? 0, startMs + leastMs)
    const endMs = Math.min(wantedEnd, startMs + maxMs, starts[i + 1] ?? totalMs)
    return { startMs, endMs }
  })
}

/** Starts as wanted, but each at least `leastMs` after the one before, and early enough for all later ones. */
function startsFrom(spans: readonly Span[], totalMs: number, leastMs: number): number[] {
  const starts: number[] = []
  spans.forEach(({ startMs }, i) => {
    const latest = totalMs - (spans.length - i) * leastMs
    const earliest = (starts.at(-1) ?? -leastMs) + leastMs
    starts.push(Math.max(earliest, Math.min(startMs, latest), 0))
  })
  return starts
}
