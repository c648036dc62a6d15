import { pipe, type Stream } from './filter-graph.ts'

/** As ffmpeg takes seconds. */
export function atMicroseconds(seconds: number): string {
  return seconds.toFixed(6)
}

/** Drops the pictures before one time, and those from another on; either may be infinite. */
export function trimmed(
  stream: Stream<'video'>,
  { from, to }: { readonly from: number; readonly to: number },
): Stream<'video'> {
  const start = from > 0 ? { start: atMicroseconds(from) } : {}
  const end = Number.isFinite(to) ? { end: atMicroseconds(to) } : {}
  const args = { ...start, ...end }
  return Object.keys(args).length === 0 ? stream : pipe(stream, 'trim', args)
}

/** The arguments of a `setpts` after which times count from this one. */
export function countedFrom(seconds: number): { readonly expr: string } {
  return { expr: `PTS-round(${seconds.toFixed(9)}/TB)` }
}
