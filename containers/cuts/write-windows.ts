import { stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { escapeFilterValue } from '../graph/escape.ts'
import { keptSpans } from '../timeline/frame-spans.ts'
import { keepExpression } from '../timeline/keep-expression.ts'
import { cutFiles, type CutSource } from './cutting.ts'
import { headOf } from './film-head.ts'
import type { Model } from './film-model.ts'
import { endOfSequence } from './renumber-hevc.ts'
import { filmOfWindows, type Window } from './seam-windows.ts'

/** Any rate will do: times are given when the result is put together. */
export const windowFps = 25

/** How to read a film of windows: the files that it consists of, and a filter for the wanted pictures. */
export type WindowReading = { readonly pieces: readonly string[]; readonly select: string }

/** Writes the head of a film that has only the packets which are needed for some pictures. */
export async function writeWindows(
  { folder }: ToolContext,
  name: string,
  { source, windows }: { readonly source: CutSource; readonly windows: readonly Window[] },
  { movie, description }: Model,
): Promise<WindowReading> {
  const hasPauses = source.codec === 'hevc'
  const pause = hasPauses ? pauseUnit : undefined
  const { samples, ticks, wanted } = filmOfWindows({ source }, windows, pause?.length)
  if (pause) await writeFile(path.join(folder, cutFiles.pause), pause)
  const pieces = [...source.files.map((file) => file.path), ...(pause ? [cutFiles.pause] : [])]
  const fileBytes = await Promise.all(
    pieces.map(async (piece) => (await stat(path.join(folder, piece))).size),
  )
  const film = { model: movie, description, timescale: windowFps, samples, endTick: ticks }
  await writeFile(path.join(folder, name), headOf({ ...film, fileBytes }))
  const select = `select=${escapeFilterValue(keepExpression(keptSpans(wanted, ticks), 'pts'))}`
  return { pieces: [name, ...pieces], select }
}

const pauseUnit = Buffer.concat([Buffer.from([0, 0, 0, endOfSequence.length]), endOfSequence])
