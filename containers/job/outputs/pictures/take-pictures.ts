import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { stackOf } from '../../../errors/log.ts'
import { runGraph } from '../../../ffmpeg/process/run-ffmpeg.ts'
import { pipeAll, type Stream } from '../../../graph/filter-graph.ts'
import { PartRefusal } from '../../../parts/part-refusal.ts'
import type { PictureTimes } from '../../../parts/window/picture-times.ts'
import { timesOfPictures } from '../../../parts/window/times-of.ts'
import { windowGlobals, windowOf } from '../../../parts/window/window-of.ts'
import type { FileTables, Window } from '../../../parts/window/window.ts'
import { placeAt } from '../../../render/steps/take-excerpt.ts'
import { fpsOf } from '../../../timeline/frame-rate.ts'
import { keepExpression } from '../../../timeline/keep-expression.ts'
import { keptSpans } from '../../../timeline/frame-spans.ts'
import { refuseWithoutRoom } from '../../disk-room.ts'
import { progressOf, scratchOf } from '../../job-context.ts'
import type { OpenedPictures } from './open-pictures.ts'
import { unless } from '../../../errors/unless.ts'

/** The path of a picture; those of a stem are numbered from 0. */
export function picturePath(stem: string, place: number | '%d'): string {
  return `${stem}-${place}.png`
}

/** Takes the pictures shown at these moments, as PNG files in the job folder, one for each moment. */
export async function takePictures(
  opened: OpenedPictures,
  moments: readonly number[],
  stem: string,
): Promise<string[]> {
  const { context, size } = opened
  // The disk must have room for them uncompressed.
  await refuseWithoutRoom(scratchOf(context), size.width * size.height * 3 * moments.length)
  const { timed, tables } = await timesOf(opened)
  const total = Math.max(1, Math.round(opened.seconds * fpsOf(opened.frameRate)))
  const places = moments.map((seconds) =>
    timed ? placeIn(timed, seconds) : placeAt(seconds, fpsOf(opened.frameRate), total),
  )
  const distinct = [...new Set(places)].sort((a, b) => a - b)
  const taken = { opened, stem, places: distinct }
  if (tables && timed && isFewer(opened, distinct.length, tables)) {
    const files = await takeApart(taken, timed, tables)
    if (files) return places.map((place) => files[distinct.indexOf(place)] ?? '')
  }
  const files = await takeInOneRun(taken, timed !== undefined)
  return places.map((place) => files[distinct.indexOf(place)] ?? '')
}

/** When the pictures shown at these moments began to be shown: after a gap, one is shown for longer than at any rate. */
export async function standingSince(
  opened: OpenedPictures,
  moments: readonly number[],
): Promise<number[]> {
  const { timed } = await timesOf(opened)
  return moments.map((at) => Math.min(at, timed ? timed.at(placeIn(timed, at)) : at))
}

/** When the pictures are shown, if the index of the files and the steps that were taken tell. */
async function timesOf({ video, tables }: OpenedPictures) {
  const read = await tables()
  return { tables: read, timed: read && unless(PartRefusal, () => timesOfPictures(read)(video)) }
}

/** WebM rounds times to milliseconds. */
const tolerance = 0.0005

function placeIn(times: PictureTimes, seconds: number): number {
  const last = (times.count ?? Number.POSITIVE_INFINITY) - 1
  return Math.max(0, Math.min(last, times.lastUpTo(seconds + tolerance)))
}

/** Beginning at another place takes as long as decoding about this many seconds of a film. */
const beginningSeconds = 1.2

/** Whether less is decoded if each picture is read from the key picture before it. */
function isFewer({ seconds }: OpenedPictures, count: number, tables: FileTables): boolean {
  const stored = [...tables.values()]
  const length = stored.reduce((sum, { times }) => sum + (times.at(-1) ?? 0), 0)
  const keys = stored.reduce((sum, table) => sum + table.keys.length, 0)
  return count * (length / Math.max(1, keys) / 2 + beginningSeconds) < seconds
}

type Picked = {
  readonly opened: OpenedPictures
  readonly stem: string
  readonly places: readonly number[]
}

/** Takes each picture with a run of its own; undefined if that cannot be done exactly. */
async function takeApart(
  { opened, stem, places }: Picked,
  times: PictureTimes,
  tables: FileTables,
): Promise<string[] | undefined> {
  const onProgress = progressOf(opened.context, 'rendering')
  const files: string[] = []
  try {
    for (const place of places) {
      const file = picturePath(stem, files.length)
      const picture = windowOf(opened.video, windowAt(times, place), tables)
      await encode(opened, picture, { file, isNarrow: true, muxing: ['-update', '1'] })
      files.push(file)
      onProgress(files.length / places.length)
    }
    return files
  } catch (error) {
    const { tools, log } = opened.context
    tools.signal.throwIfAborted()
    log('warn', 'Pictures could not be taken one by one', { fault: stackOf(error) })
    for (const file of files) await rm(path.join(tools.folder, file), { force: true })
    return undefined
  }
}

/** Begins a moment before the picture, because times in files are rounded. */
const earlySeconds = 0.002

function windowAt(times: PictureTimes, place: number): Window {
  const begin = (at: number) => (times.rate ? times.at(at - 0.25) : times.at(at) - earlySeconds)
  return { from: place <= 0 ? Number.NEGATIVE_INFINITY : begin(place), to: begin(place + 1) }
}

/** Decodes the film up to the last of the pictures. */
async function takeInOneRun({ opened, stem, places }: Picked, isTimed: boolean): Promise<string[]> {
  const { context, video, steady, seconds } = opened
  const end = (places.at(-1) ?? 0) + 1
  const removed = keptSpans(
    places.map((place) => ({ from: place, to: place + 1 })),
    end,
  )
  const picked = pipeAll(isTimed ? video : steady, [
    ['trim', { end_frame: end }],
    ['select', { expr: keepExpression(removed) }],
  ])
  const onProgress = progressOf(context, 'rendering')
  const muxing = ['-start_number', '0']
  const coding = ['-fps_mode:v', 'passthrough']
  const shape = { file: picturePath(stem, '%d'), isNarrow: false, muxing, coding }
  await encode(opened, picked, shape, (at) => onProgress(at / seconds))
  return places.map((_, i) => picturePath(stem, i))
}

type Encoding = {
  readonly file: string
  readonly isNarrow: boolean
  readonly muxing: readonly string[]
  readonly coding?: readonly string[]
}

/** Encodes losslessly in the colours of screens, because the programs that use the pictures know no other matrix. */
async function encode(
  { context: { tools } }: OpenedPictures,
  picture: Stream<'video'>,
  { file, isNarrow, muxing, coding = ['-frames:v', '1'] }: Encoding,
  onSeconds: (seconds: number) => void = () => undefined,
): Promise<void> {
  const made = {
    tracks: [{ stream: inScreenColors(picture, 'rgb24'), coding: ['-c:v', 'png', ...coding] }],
    muxing: ['-fflags', '+bitexact', '-f', 'image2', ...muxing],
    path: file,
    ...(isNarrow && { timing: windowGlobals }),
  }
  await runGraph(tools, made, ({ outSeconds }) => onSeconds(outSeconds))
  const first = path.join(tools.folder, file.replace('%d', '0'))
  if ((await stat(first)).size === 0) throw new Error('An empty picture was taken')
}

/** Converts to RGB by the matrix that the pictures declare. */
export function inScreenColors(
  picture: Stream<'video'>,
  format: 'rgb24' | 'bgr0',
): Stream<'video'> {
  return pipeAll(picture, [
    ['scale', { flags: 'bicubic+accurate_rnd+full_chroma_int' }],
    ['format', { pix_fmts: format }],
  ])
}
