import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../errors/job-error.ts'
import { guardedGlobals, guardedInput, type ByHand } from '../graph/compile-args.ts'
import { sourceLimits } from '../claims/source-limits.ts'
import { readTool, type ToolContext } from './process/run-tool.ts'
import type { TurnMatrix } from '../timeline/media-facts.ts'
import { probeSections } from './probe/probe-sections.ts'

export type DecodedPicture = {
  readonly isPicture: boolean
  /** Whether side data before the picture tells its rotation. */
  readonly saysTurn: boolean
  readonly stderrTail: string
}

const patienceMs = sourceLimits.firstPictureSeconds * 1_000
const memoryPollMs = 200

/** The first picture of any video except a cover image, as `pickVideo` chooses it, and once more if it tells its rotation. */
const firstPicture = (input: number): string =>
  `[${input}:V:0]trim=end_frame=1,split[first][again];[again]sidedata=mode=select:type=DISPLAYMATRIX[turning]`

type PictureFile = { readonly path: string; readonly demuxer: string }

function argsFor({ maxPixels }: ToolContext, { path, demuxer }: PictureFile, input: number) {
  return {
    inputs: ['-threads', '1', '-max_pixels', String(maxPixels), ...guardedInput(path, demuxer)],
    outputs: [
      ...['-filter_complex', firstPicture(input), '-map', '[first]', '-map', '[turning]'],
      // Otherwise a first picture whose time lies before the beginning, as edit lists may have it, would be dropped.
      ...['-fps_mode:v', 'passthrough', '-frames:v', '1', '-f', 'framecrc'],
    ],
  }
}

function pictureIn(listed: string, stderrTail: string): DecodedPicture {
  const isSeen = (stream: number): boolean => new RegExp(`^${stream},`, 'm').test(listed)
  return { isPicture: isSeen(0), saysTurn: isSeen(1), stderrTail }
}

/**
 * Tells whether one picture of a file can be decoded. It gets little time: a picture may consist of thousands of layers, or
 * never be complete.
 */
export async function decodePicture(
  tools: ToolContext,
  { field, ...file }: PictureFile & { field: string },
): Promise<DecodedPicture> {
  const { limits } = tools
  const { inputs, outputs } = argsFor(tools, file, 0)
  const args = [...guardedGlobals, ...inputs, ...outputs, '-']
  const tight = { ...tools, limits: { ...limits, ...wallOf(limits) } }
  const run = await readTool(tight, 'ffmpeg', args).catch((error: unknown) => {
    throw explain(error, { field, memoryBytes: limits.memoryBytes })
  })
  return pictureIn(run.stdout, run.stderrTail)
}

/** Decodes the picture in a run that reads the file anyway, and tells the result afterwards; nothing if none came out. */
export function pictureBeside(tools: ToolContext, file: PictureFile) {
  const list = `${file.path}.picture`
  const byHand: ByHand = (read) => {
    const { inputs, outputs } = argsFor(tools, file, read.length)
    return { inputs, outputs: [...outputs, `file:${list}`] }
  }
  const seen = async (): Promise<DecodedPicture | undefined> => {
    const place = path.join(tools.folder, list)
    // If that run was cut short, it is not known whether the picture can be decoded.
    const listed = await readFile(place, 'utf8').catch(() => '')
    await rm(place, { force: true })
    const picture = pictureIn(listed, '')
    return picture.isPicture ? picture : undefined
  }
  return { byHand, seen }
}

/**
 * Reads an image with ffprobe under a tight limit of time and memory: its unpacked data may be a thousand times as
 * large as the file.
 */
export async function probeStill(tools: ToolContext, field: string, args: readonly string[]) {
  const { limits } = tools
  const memoryBytes = Math.min(sourceLimits.stillMemoryBytes, limits.memoryBytes)
  const tight = { ...limits, ...wallOf(limits), memoryBytes, memoryPollMs }
  return readTool({ ...tools, limits: tight }, 'ffprobe', args).catch((error: unknown) => {
    throw explain(error, { field, memoryBytes })
  })
}

function wallOf({ wallMs, stallMs }: ToolContext['limits']) {
  return { wallMs: Math.min(patienceMs, wallMs), stallMs: Math.max(patienceMs * 2, stallMs) }
}

type DecodeContext = { field: string; memoryBytes: number }

function explain(error: unknown, { field, memoryBytes }: DecodeContext): unknown {
  if (!(error instanceof JobError)) return error
  const { reason: cause, retryable } = error
  // A temporary fault says nothing about the file.
  if (retryable || (cause !== 'out_of_time' && cause !== 'out_of_resources')) return error
  const most =
    cause === 'out_of_time'
      ? `takes longer than ${patienceMs / 1000} seconds`
      : `takes more than ${memoryBytes.toLocaleString('en')} bytes of memory`
  const message = `${field}: decoding the first picture ${most}.`
  return new JobError('source_undecodable', message, { cause: error })
}

/**
 * Reads the rotation of a stream whose pictures declare it themselves, in a display orientation message of H.264 or HEVC. The
 * container counts more: most players look at nothing else.
 */
export async function readTurn(
  tools: ToolContext,
  file: { path: string; demuxer: string; streamIndex: number },
): Promise<TurnMatrix | undefined> {
  const entries = 'stream_side_data=displaymatrix:frame_side_data=displaymatrix'
  const asked = [
    ...['-threads', '1', '-max_pixels', String(tools.maxPixels)],
    ...['-select_streams', String(file.streamIndex), '-read_intervals', '%+#1'],
    ...['-show_entries', entries],
  ]
  const turns = new Map<string, TurnMatrix>()
  await probeSections(tools, file, asked, (section) => {
    const [turn] = section.sideData().flatMap((data) => turnIn(data.get('displaymatrix')) ?? [])
    if (turn) turns.set(section.kind, turn)
  })
  return turns.get('stream') ?? turns.get('frame')
}

/** Parses three rows such as `00000000:            0      -65536           0`, whose line ends ffprobe escapes. */
function turnIn(matrix: string | undefined): TurnMatrix | undefined {
  const rows = [...(matrix ?? '').matchAll(/[0-9a-f]{8}:\s+(-?\d+)\s+(-?\d+)/g)]
  const [[, a, b] = [], [, c, d] = []] = rows
  return d === undefined ? undefined : { a: Number(a), b: Number(b), c: Number(c), d: Number(d) }
}
