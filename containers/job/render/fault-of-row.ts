import { JobError } from '../../errors/job-error.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import type { Row, RowPart } from '../../render/copy-row.ts'
import { atMost } from '../at-most.ts'
import { copyStepMs } from '../wall-clock.ts'

type Result = { readonly name: string; readonly facts: MediaFacts }

/** The same, where a proof that takes too long or cannot be had counts as a fault: encoding needs none. */
export async function doubtOfRow(
  context: ToolContext,
  result: Result,
  row: Row,
): Promise<string | undefined> {
  const limits = { ...context.limits, wallMs: copyStepMs(context.limits) }
  try {
    return await faultOfRow({ ...context, limits }, result, row)
  } catch (error) {
    const isLasting = error instanceof JobError && !error.retryable
    const isLate = error instanceof JobError && error.reason === 'out_of_time'
    if (isLasting || isLate) return `it could not be proven. ${error.message}`
    throw error
  }
}

/**
 * Finds what is wrong with pictures that were joined as stored. Undefined if the result has every packet of the clips
 * at its time, and decodes alike on both sides of every joint.
 */
export async function faultOfRow(
  context: ToolContext,
  result: Result,
  row: Row,
): Promise<string | undefined> {
  const most = row.parts.reduce((sum, { packing }) => sum + packing.sizes.length, 0) + 1
  const found = await measurePacking(context, result.name, result.facts, most)
  const fault = faultOfPackets(found, row)
  if (fault !== undefined) return fault
  const { format, video } = result.facts
  const file = { demuxer: demuxers[format], index: video.index }
  const seams = row.parts.slice(1).flatMap((after, i) => {
    const before = row.parts[i]
    return before
      ? [{ before, after, result: result.name, shift: shiftOf(found, row), ...file }]
      : []
  })
  const faults = await atMost(seamsAtOnce, seams, context.signal, async (seam, signal) =>
    faultOfSeam({ ...context, signal }, seam),
  )
  return faults.find((one) => one !== undefined)
}

const seamsAtOnce = 2
/** Times are rounded to a time base twice, at worst to milliseconds. */
const roundingSeconds = 0.0021
/** Containers count time from the first sound, which may begin slightly earlier. */
const mostShiftSeconds = 0.03

function shiftOf({ shownAt }: Packing, { parts }: Row): number {
  return (shownAt[0] ?? 0) - (parts[0]?.packing.shownAt[0] ?? 0)
}

/** Compares the packets that were written with those that were expected. */
export function faultOfPackets(found: Packing, row: Row): string | undefined {
  const expected = row.parts.reduce((sum, { packing }) => sum + packing.sizes.length, 0)
  if (!found.isWhole) return `it has more than ${expected} pictures`
  if (found.sizes.length !== expected) {
    return `it has ${found.sizes.length} pictures, not ${expected}`
  }
  const shift = shiftOf(found, row)
  if (Math.abs(shift) > mostShiftSeconds) return 'its picture begins at another time'
  let before = 0
  for (const [i, { packing, startSeconds }] of row.parts.entries()) {
    for (let k = 0; k < packing.sizes.length; k++) {
      const off =
        (found.shownAt[before + k] ?? 0) - (packing.shownAt[k] ?? 0) - startSeconds - shift
      if (!(Math.abs(off) <= roundingSeconds)) return `a picture of files[${i}] has another time`
      if (found.sizes[before + k] !== packing.sizes[k]) return `a picture of files[${i}] is another`
    }
    before += packing.sizes.length
  }
  return undefined
}

type Seam = {
  before: RowPart
  after: RowPart
  result: string
  shift: number
  demuxer: string
  index: number
}

/** How many pictures on either side are decoded and compared. */
const lookedAt = 5

async function faultOfSeam(context: ToolContext, seam: Seam): Promise<string | undefined> {
  const { before, after, demuxer, index } = seam
  const times = Float64Array.from(before.packing.shownAt).sort()
  const count = Math.min(lookedAt, times.length)
  // A time between two pictures, so that rounding cannot change which one comes first.
  const [last = 0, first = 0] = times.slice(-count - 1)
  const from = times.length > count ? (last + first) / 2 : undefined
  const stored = { demuxer, index }
  const start = (from ?? (times[0] ?? 0) - roundingSeconds) + before.startSeconds + seam.shift
  const [left, right, joined] = await Promise.all([
    decode(context, { ...stored, path: before.path, from: from ?? 0, count }),
    decode(context, { ...stored, path: after.path, from: 0, count: lookedAt }),
    decode(context, { ...stored, path: seam.result, from: start, count: count + lookedAt }),
  ])
  const sources = [...left.pictures, ...right.pictures]
  const seconds = after.startSeconds.toFixed(3)
  if (!sources.every((hash, i) => hash === joined.pictures[i])) {
    return `pictures around ${seconds} s are decoded otherwise`
  }
  const isNew = joined.complaint !== '' && left.complaint === '' && right.complaint === ''
  return isNew ? `the decoder complains around ${seconds} s` : undefined
}

type Look = {
  path: string
  demuxer: string
  index: number
  /** Seconds from the start of the file. */
  from: number
  count: number
}

/** Returns the hashes of the pictures and the messages of the decoder. */
async function decode(context: ToolContext, { path, demuxer, index, from, count }: Look) {
  const { stdout, stderrTail } = await readTool(context, 'ffmpeg', [
    ...[...guardedGlobals, '-threads', '2', '-max_pixels', String(context.maxPixels)],
    ...(from > 0 ? ['-ss', from.toFixed(6)] : []),
    ...[...guardedInput(path, demuxer), '-map', `0:${index}`, '-frames:v', String(count)],
    ...['-fps_mode:v', 'passthrough', '-f', 'framemd5', '-'],
  ])
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return { pictures: lines.map((line) => line.split(',').at(-1)?.trim()), complaint: stderrTail }
}
