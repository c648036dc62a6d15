import type { Filter, Stream } from '../../graph/filter-graph.ts'
import type { PictureTimes } from './picture-times.ts'

/** Seconds of the film from `from` up to but not including `to`; both lie between two pictures, or are infinite. */
export type Window = { readonly from: number; readonly to: number }

/** When the pictures of a file are shown, in seconds from its start. */
export type FileTable = {
  /** In the order of showing. */
  readonly times: Float64Array
  /** When those pictures are shown with which a decoder can begin. */
  readonly keys: Float64Array
}

/** By the names of the files. */
export type FileTables = ReadonlyMap<string, FileTable>

/** Makes windows of a graph, from its end to its inputs. */
export type Walk = {
  /** The stream with all pictures of the window as in the whole film, with or without others outside of it. */
  within(stream: Stream, window: Window): Stream<'video'>
  timesOf(stream: Stream): PictureTimes | undefined
}

/** Makes a filter produce the pictures of a window as in the whole film: returns its outputs. */
export type WindowRule = (filter: Filter, window: Window, walk: Walk) => readonly Stream[]

/** More than half a millisecond, to which WebM rounds, and less than the length of a picture. */
const margin = 0.002

/**
 * The window of a filter's input. It begins a number of pictures before the one shown when the window begins, and ends a number
 * of pictures after it.
 */
export function widened(
  times: PictureTimes | undefined,
  window: Window,
  { before = 0, behind = 1 } = {},
): Window {
  if (!times) return { from: window.from - before - 1, to: window.to + behind }
  const last = (times.count ?? Number.POSITIVE_INFINITY) - 1
  // A window behind the last picture still needs that picture.
  const first = Math.min(last, Math.max(0, times.lastUpTo(window.from))) - before
  const end = Number.isFinite(window.to) ? times.lastUpTo(window.to) + behind + 1 : last + 1
  return {
    from: first <= 0 ? Number.NEGATIVE_INFINITY : times.at(first) - margin,
    to: end > last ? Number.POSITIVE_INFINITY : times.at(end) - margin,
  }
}
