import { markedScan, progressiveScan, type Scan } from '../../timeline/scan-facts.ts'
import { judgeScan, type Runs } from './judge-scan.ts'
import type { ProbedStream } from '../probe/probe-output.ts'
import { type ToolContext, runTool } from '../process/run-tool.ts'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { JobError } from '../../errors/job-error.ts'
import { compileArgs, type ByHand } from '../../graph/compile-args.ts'
import { connect, inputFile, pipeAll, streamOf, type Stream } from '../../graph/filter-graph.ts'
import { fieldMotion, noMotion, type FieldMotion, type LumaPicture } from './field-motion.ts'
import { codeOf } from '../../errors/code-of.ts'
import { rawPictures } from '../process/raw-pictures.ts'

/** Interlaced television never had more lines than these, and larger pictures take long to examine. */
const mostLines = 1_152
const mostColumns = 2_048
/** Television never had fewer lines either. In a smaller picture, too few blocks move to tell. */
const leastLines = 120

/** Combines what the file says about its lines with what its pictures show. `byHand`: what else the same run reads. */
export async function measureScan(
  tools: ToolContext,
  stream: ProbedStream,
  file: Pick<FieldsRequest, 'path' | 'demuxer' | 'claimedSeconds' | 'byHand'>,
): Promise<Scan> {
  // Cameras that rotate the picture do not write fields, and the stored lines are not those that are seen.
  if (isTurned(stream)) return progressiveScan
  const marked = markedScan(stream.field_order)
  const { index: streamIndex, width = 0, height = 0 } = stream
  if (width > mostColumns || height > mostLines || height < leastLines) return marked
  return judgeScan(marked, await lookAtFields(tools, { ...file, streamIndex, width, height }))
}

function isTurned({ side_data_list: sideData = [] }: ProbedStream): boolean {
  return sideData.some(({ rotation = 0 }) => Math.round(rotation) !== 0)
}

type FieldsRequest = {
  /** Name inside the job folder. */
  readonly path: string
  readonly demuxer: string
  readonly streamIndex: number
  /** As stored, before any rotation. */
  readonly width: number
  readonly height: number
  /** As the header says; 0 if it does not say. */
  readonly claimedSeconds: number
  readonly byHand: ByHand
}

const mostPlaces = 6
const secondsApart = 2
/** Three telecine cycles of five pictures, and one picture on either side. */
const picturesInRun = 17
/** The width to which pictures are reduced: dropped columns would show the same as their neighbours. Every line is kept. */
const lookedAtColumns = 360
const patienceMs = 10_000

/** Reads runs of successive pictures from all over a video and measures the motion in their even and odd lines. */
async function lookAtFields(tools: ToolContext, request: FieldsRequest): Promise<Runs> {
  const width = Math.min(request.width, lookedAtColumns)
  const size = { width, height: request.height }
  const file = `${request.path}.fields`
  try {
    await extractRuns(tools, request, { file, ...size })
    return await readRuns(await readFile(path.join(tools.folder, file)), size)
  } catch (error) {
    if (isUnreadable(error)) return []
    throw error
  } finally {
    await rm(path.join(tools.folder, file), { force: true })
  }
}

/**
 * If the pictures cannot be read, or not in time, the flags of the file decide; the rendering shows later whether the
 * file is usable.
 */
function isUnreadable(error: unknown): boolean {
  if (error instanceof JobError) return !error.retryable
  return codeOf(error) === 'ENOENT'
}

async function extractRuns(
  tools: ToolContext,
  request: FieldsRequest,
  { file, width, height }: { file: string; width: number; height: number },
): Promise<void> {
  const runs = placesIn(request.claimedSeconds).map((seconds) => {
    // Starts at the previous key picture and keeps the stored orientation: rotated pictures have their lines in other
    // places.
    // The decoder's concealment of a truncated picture looks combed.
    const whole = ['-fflags', '+discardcorrupt']
    const reading = [...whole, '-noautorotate', '-noaccurate_seek', '-ss', seconds.toFixed(3)]
    const input = inputFile(request.path, request.demuxer, reading)
    return pipeAll(streamOf(input, 'video', request.streamIndex), [
      ['trim', { end_frame: picturesInRun }],
      ['scale', { w: width, h: height, flags: 'neighbor' }],
      ['format', { pix_fmts: 'gray' }],
      // Every run has the same number of pictures, so that the output can be split again.
      ['tpad', { stop_mode: 'clone', stop: picturesInRun }],
      ['trim', { end_frame: picturesInRun }],
      ['setsar', { sar: 1 }],
    ])
  })
  const { threads, maxPixels, limits } = tools
  const { args } = compileArgs({
    ...rawPictures(inARow(runs), file),
    byHand: request.byHand,
    threads,
    maxPixels,
  })
  const wallMs = Math.min(patienceMs, limits.wallMs)
  // Uses whatever could be decoded of a damaged file.
  await runTool({ ...tools, limits: { ...limits, wallMs } }, 'ffmpeg', args, () => true)
}

/** Places are at least `secondsApart` apart: a shorter video has only one or two key pictures. */
export function placesIn(seconds: number): number[] {
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
