import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { JobError } from '../errors/job-error.ts'
import { compileArgs } from '../graph/compile-args.ts'
import { connect, inputFile, pipeAll, streamOf, type Stream } from '../graph/filter-graph.ts'
import { fieldMotion, noMotion, type FieldMotion, type LumaPicture } from './field-motion.ts'
import type { Runs } from './judge-scan.ts'
import { runTool, type ToolContext } from './run-tool.ts'

export type FieldsRequest = {
  /** Name inside the job folder. */
  readonly path: string
  readonly demuxer: string
  readonly streamIndex: number
  /** As stored. */
  readonly width: number
  readonly height: number
  /** As the header says; 0 when it says nothing. */
  readonly claimedSeconds: number
}

const mostPlaces = 6
const secondsApart = 2
/** Three cycles of five, for film, and a picture on either side. */
const picturesInRun = 17
/** Columns that are left out show nothing that their neighbours do not; lines are all kept. */
const mostColumns = 360
const patienceMs = 10_000

/** Successive pictures from places all over a video, and what their even and odd lines say. */
export async function lookAtFields(context: ToolContext, request: FieldsRequest): Promise<Runs> {
  const width = Math.min(request.width, mostColumns)
  const size = { width, height: request.height }
  const file = `${request.path}.fields`
  try {
    await extractRuns(context, request, { file, ...size })
    return await readRuns(await readFile(path.join(context.folder, file)), size)
  } catch (error) {
    if (isUnreadable(error)) return []
    throw error
  } finally {
    await rm(path.join(context.folder, file), { force: true })
  }
}

/** What cannot be looked at in time, or at all, is judged by what it says of itself; whether it can be rendered shows later. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof JobError) return !error.retryable
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

async function extractRuns(
  context: ToolContext,
  request: FieldsRequest,
  { file, width, height }: { file: string; width: number; height: number },
): Promise<void> {
  const runs = placesIn(request.claimedSeconds).map((seconds) => {
    // From the key picture before it, and stored as it is: what is turned has its lines in other places.
    const reading = ['-noautorotate', '-noaccurate_seek', '-ss', seconds.toFixed(3)]
    const input = inputFile(request.path, request.demuxer, reading)
    return pipeAll(streamOf(input, 'video', request.streamIndex), [
      ['trim', { end_frame: picturesInRun }],
      ['scale', { w: width, h: height, flags: 'neighbor' }],
      ['format', { pix_fmts: 'gray' }],
      // Always as many, so that they can be told apart.
      ['tpad', { stop_mode: 'clone', stop: picturesInRun }],
      ['trim', { end_frame: picturesInRun }],
      ['setsar', { sar: 1 }],
    ])
  })
  const { threads, maxPixels, limits } = context
  const coding = ['-c:v', 'rawvideo', '-fps_mode:v', 'passthrough']
  const { args } = compileArgs({
    tracks: [{ stream: inARow(runs), coding }],
    muxing: ['-f', 'rawvideo'],
    path: file,
    threads,
    maxPixels,
  })
  const wallMs = Math.min(patienceMs, limits.wallMs)
  // Whatever came out of a damaged file is looked at.
  await runTool({ ...context, limits: { ...limits, wallMs } }, 'ffmpeg', args, () => true)
}

/** At least so far apart: what is shorter has one key picture or two. */
function placesIn(seconds: number): number[] {
  const count = Math.max(1, Math.min(mostPlaces, Math.floor(seconds / secondsApart)))
  return Array.from({ length: count }, (_, i) => (seconds * i) / count)
}

function inARow(runs: readonly Stream<'video'>[]): Stream<'video'> {
  const [row] = connect('concat', runs, ['video'], { n: runs.length, v: 1, a: 0 })
  return row
}

async function readRuns(bytes: Buffer, size: { width: number; height: number }): Promise<Runs> {
  const pictureBytes = size.width * size.height
  const count = Math.floor(bytes.length / pictureBytes / picturesInRun)
  const runs: FieldMotion[][] = []
  for (let run = 0; run < count; run++) {
    const pictures = Array.from({ length: picturesInRun }, (_, i): LumaPicture => {
      const start = (run * picturesInRun + i) * pictureBytes
      return { ...size, pixels: bytes.subarray(start, start + pictureBytes) }
    })
    runs.push(await motionsIn(pictures))
  }
  return runs
}

async function motionsIn(pictures: readonly LumaPicture[]): Promise<FieldMotion[]> {
  const motions: FieldMotion[] = []
  for (let i = 1; i < pictures.length - 1; i++) {
    const [before, picture, after] = [pictures[i - 1], pictures[i], pictures[i + 1]]
    motions.push(before && picture && after ? fieldMotion(before, picture, after) : noMotion)
    await nextTurn()
  }
  return motions
}
