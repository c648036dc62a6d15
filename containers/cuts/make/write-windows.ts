import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { escapeFilterValue } from '../../graph/escape.ts'
import { keptSpans } from '../../timeline/frame-spans.ts'
import { keepExpression } from '../../timeline/keep-expression.ts'
import type { CutSource, Places } from '../cut-model.ts'
import { withEntries, type Entries } from '../plan/entry-kinds.ts'
import { headOf } from '../mp4/film-head.ts'
import { writeLeadIns } from './lead-in.ts'
import { endOfSequence } from '../hevc/renumber-hevc.ts'
import { filmOfWindows, windowsFor, type Between, type Window } from './seam-windows.ts'

/** Any rate will do: times are given when the result is put together. */
export const windowFps = 25

/** How to read a film of windows: the files that it consists of, and a filter for the wanted pictures. */
export type WindowReading = { readonly pieces: readonly string[]; readonly select: string }

/** Writes the head of a film that has only the packets which are needed for some pictures. */
export async function writeWindows(
  context: ToolContext,
  name: string,
  source: CutSource,
  places: readonly Places[],
): Promise<WindowReading> {
  const { movie, description } = source.model
  return withEntries(context.folder, source, async (entries) => {
    const windows = await windowsFor({ source, entryOf: entries.entryOf }, places)
    const last = `${name}.between`
    const between = await writeBetween(context, last, { source, windows, entries })
    const { samples, ticks, wanted } = filmOfWindows({ source }, windows, between)
    const pieces = [...source.files.map((file) => file.path), ...(between.bytes > 0 ? [last] : [])]
    const fileBytes = await Promise.all(
      pieces.map(async (piece) => (await stat(path.join(context.folder, piece))).size),
    )
    const film = { model: movie, description, timescale: windowFps, samples, endTick: ticks }
    await writeFile(path.join(context.folder, name), headOf({ ...film, fileBytes }))
    const select = `select=${escapeFilterValue(keepExpression(keptSpans(wanted, ticks), 'pts'))}`
    return { pieces: [name, ...pieces], select }
  })
}

type Windowed = { source: CutSource; windows: readonly Window[]; entries: Entries }

/** Writes what keeps windows apart, so that a decoder of each knows nothing of the one before it. */
async function writeBetween(
  context: ToolContext,
  name: string,
  { source: { codec, sets }, windows, entries }: Windowed,
): Promise<Between & { readonly bytes: number }> {
  if (codec === 'hevc') {
    await writeFile(path.join(context.folder, name), pause)
    return { pauseBytes: pause.length, leadIns: [], bytes: pause.length }
  }
  if (!sets) return { pauseBytes: 0, leadIns: [], bytes: 0 }
  const found = await writeLeadIns(context, name, windows, { units: entries.units, sets })
  return { pauseBytes: 0, ...found }
}

const pause = Buffer.concat([Buffer.from([0, 0, 0, endOfSequence.length]), endOfSequence])
