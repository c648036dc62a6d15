import type { PictureFilter } from '../../../worker/contract/job/part-spec.ts'
import { readsAlpha } from '../../render/frame/alpha-reading.ts'
import { pipe, type Filter, type InputFile, type Stream } from '../../graph/filter-graph.ts'
import { firstPlace } from '../../../worker/contract/first-place.ts'
import { PartRefusal } from '../part-refusal.ts'
import { baseName, isRepeated, timesOfPictures } from './times-of.ts'
import { atMicroseconds, countedFrom, trimmed } from '../../graph/cut-in-time.ts'
import type { FileTables, Walk, Window } from './window.ts'
import { windowRules } from './window-rules.ts'

/** Options of every run that makes a window: files keep the times that they have from their start. */
export const windowGlobals = ['-copyts', '-start_at_zero'] as const

/**
 * The same graph for a window: within it, the pictures and their times are exactly those of the whole film. Times then count
 * from `zeroSeconds`. Throws a `PartRefusal` if that cannot be done.
 */
export function windowOf(
  stream: Stream<'video'>,
  window: Window,
  tables: FileTables,
  zeroSeconds = 0,
): Stream<'video'> {
  const made = trimmed(walkOf(tables).within(stream, window), window)
  return zeroSeconds === 0 ? made : pipe(made, 'setpts', countedFrom(zeroSeconds))
}

function walkOf(tables: FileTables): Walk {
  const known = new Map<Filter, Map<string, readonly Stream[]>>()
  const opened = new Map<string, InputFile>()
  const timesOf = timesOfPictures(tables)
  const within: Walk['within'] = (stream, window) => {
    const { from, pad } = stream
    if (from.type === 'input') return inFile({ ...stream, kind: 'video', from }, window)
    const windows = known.get(from) ?? new Map<string, readonly Stream[]>()
    known.set(from, windows)
    const key = `${window.from} ${window.to}`
    const made = windows.get(key) ?? applyRule(from, window, walk)
    windows.set(key, made)
    const output = made[pad]
    if (output?.kind !== 'video') throw new Error(`"${from.name}" makes no picture`)
    return output as Stream<'video'>
  }
  const inFile = (stream: Stream<'video'> & { from: InputFile }, window: Window) => {
    const { from: file } = stream
    const table = tables.get(file.path)
    if (isRepeated(file)) return stream
    if (!table) throw new PartRefusal('the index of a source is not known')
    // Transparency has key pictures of its own, so such a file is decoded from its start.
    const seek = readsAlpha(file) ? undefined : keyBefore(table.keys, window.from)
    const key = `${file.path} ${seek}`
    const begun = opened.get(key) ?? (seek === undefined ? file : soughtTo(file, seek))
    opened.set(key, begun)
    return trimmed({ ...stream, from: begun }, window)
  }
  const walk: Walk = { within, timesOf }
  return walk
}

function applyRule(filter: Filter, window: Window, walk: Walk): readonly Stream[] {
  const rule = windowRules[baseName(filter) as PictureFilter]
  if (rule === 'whole only')
    throw new PartRefusal(`a step ("${filter.name}") needs the pictures before it`)
  return rule(filter, window, walk)
}

/** The picture with which a decoder has to begin; undefined if that is the first one. */
function keyBefore(keys: Float64Array, seconds: number): number | undefined {
  const place = firstPlace(keys.length, (i) => (keys[i] ?? 0) > seconds) - 1
  return place <= 0 ? undefined : keys[place]
}

function soughtTo(file: InputFile, seconds: number): InputFile {
  const reading = [...file.reading, '-noaccurate_seek', '-ss', atMicroseconds(seconds)]
  return Object.freeze({ ...file, reading })
}
