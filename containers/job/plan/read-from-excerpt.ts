import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { PartRefusal } from '../../parts/part-refusal.ts'
import { readFileTables, storedIn } from '../../parts/window/file-tables.ts'
import { windowGlobals, windowOf } from '../../parts/window/window-of.ts'
import type { FileTables } from '../../parts/window/window.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { applyOptions } from '../../render/apply-options.ts'
import type { ReadPart } from '../../render/render-state.ts'
import type { Fetched } from '../job-context.ts'
import type { Captioned } from './add-captions.ts'
import { unless, undefinedOn } from '../../errors/unless.ts'

/** Skipping less than this is not worth reading the index of the files. */
const leastSkippedSeconds = 2

const changesPictures = { forbidden: 'an option changes the picture' }

/** If only an excerpt or a clip is wanted, finds how the files are stored, so that what comes before it is not decoded. */
export async function readFromExcerpt(captioned: Captioned): Promise<Captioned> {
  const { context, fetched } = captioned
  const { options } = context.job
  if ((options.startTime ?? skippedBy(captioned)) < leastSkippedSeconds) return captioned
  const { state } = applyOptions(captioned, options, changesPictures)
  const tables = await tablesOf(context.tools, fetched, state.video)
  return { ...captioned, readPart: tables && partReader(tables) }
}

/** How much of the source lies before a clip. */
function skippedBy({ isClip, removed, timeline }: Captioned): number {
  const [first] = removed.all
  return isClip && first?.from === 0 ? first.to / fpsOf(timeline.frameRate) : 0
}

function partReader(tables: FileTables): ReadPart {
  return (film, between, zeroSeconds) =>
    unless(PartRefusal, () => ({
      video: windowOf(film, between, tables, zeroSeconds),
      timing: windowGlobals,
    }))
}

/** The tables of a job's files: all of its outputs read the same ones. */
const known = new WeakMap<Fetched, Map<string, Promise<FileTables | undefined>>>()

/** How all files of a graph are stored; undefined if one of them has to be read from its start. */
export async function tablesOf(
  tools: ToolContext,
  fetched: Fetched,
  stream: Stream<'video'>,
): Promise<FileTables | undefined> {
  const ofJob = known.get(fetched) ?? new Map<string, Promise<FileTables | undefined>>()
  known.set(fetched, ofJob)
  const key = storedIn(stream)
    .map(({ from, pad }) => `${from.path} ${pad}`)
    .join()
  const read = ofJob.get(key) ?? readFileTables(tools, stream).catch(undefinedOn(PartRefusal))
  ofJob.set(key, read)
  return read
}
