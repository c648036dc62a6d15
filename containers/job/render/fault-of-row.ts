import { JobError } from '../../errors/job-error.ts'
import { guardedGlobals, guardedInput } from '../../graph/compile-args.ts'
import { demuxers } from '../../ffmpeg/measure-media.ts'
import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import type { MediaFacts } from '../../timeline/media-facts.ts'
import { readTool, type ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { fileOf, type CutFile } from '../../cuts/bits/packet-units.ts'
import { compareBytes, faultOfPackets, shiftOf } from '../../cuts/proof/compare-packets.ts'
import type { Row } from '../../render/copy-row.ts'
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

/** The times of the sources and those of the result are rounded to a time base, both at worst to milliseconds. */
const roundingSeconds = 0.0021

/**
 * Finds what is wrong with pictures that were joined as stored. Undefined if the result has every packet of the clips
 * at its time, byte for byte, and decodes alike on both sides of every joint.
 */
export async function faultOfRow(
  context: ToolContext,
  { name, facts }: Result,
  row: Row,
): Promise<string | undefined> {
  const { packing } = row
  const written = await measurePacking(context, name, facts, packing.sizes.length + 1)
  const files = Uint8Array.from(packing.sizes, (_, packet) => fileOf(row, packet))
  const expected = { ...packing, files, roundingSeconds, names: row.files.map(({ path }) => path) }
  const fault =
    faultOfPackets(written, expected) ??
    (await compareBytes(context, expected, { path: name, packing: written }))
  if (fault !== undefined) return fault
  const result = { name, facts, shift: shiftOf(written, expected) }
  const joints = row.files.slice(1).flatMap((after, i) => {
    const before = row.files[i]
    return before ? [{ before, after }] : []
  })
  const faults = await atMost(jointsAtOnce, joints, context.signal, async (joint, signal) =>
    faultOfJoint({ ...context, signal }, packing, joint, result),
  )
  return faults.find((one) => one !== undefined)
}

const jointsAtOnce = 2

type Joint = { readonly before: CutFile; readonly after: CutFile }

/** How many pictures on either side are decoded and compared. */
const lookedAt = 5

/** Decodes the pictures around a joint as the clips have them, and as the result does. */
async function faultOfJoint(
  context: ToolContext,
  { shownAt }: Packing,
  { before, after }: Joint,
  { name, facts, shift }: Result & { readonly shift: number },
): Promise<string | undefined> {
  const times = shownAt.slice(before.from, after.from).sort()
  const count = Math.min(lookedAt, times.length)
  // A time between two pictures, so that rounding cannot change which one comes first.
  const [last = 0, first = 0] = times.slice(-count - 1)
  const isWhole = times.length === count
  const from = isWhole ? (times[0] ?? 0) - roundingSeconds : (last + first) / 2
  const own = isWhole ? 0 : from - before.startSeconds
  const [left, right, joined] = await Promise.all([
    decode(context, facts, { path: before.path, from: own, count }),
    decode(context, facts, { path: after.path, from: 0, count: lookedAt }),
    decode(context, facts, { path: name, from: from + shift, count: count + lookedAt }),
  ])
  const seconds = after.startSeconds.toFixed(3)
  if ([...left.pictures, ...right.pictures].some((hash, i) => hash !== joined.pictures[i])) {
    return `pictures around ${seconds} s are decoded otherwise`
  }
  const isNew = joined.complaint !== '' && left.complaint === '' && right.complaint === ''
  return isNew ? `the decoder complains around ${seconds} s` : undefined
}

/** Decodes a file from a time on. Returns the hashes of the pictures and the messages of the decoder. */
async function decode(
  context: ToolContext,
  { format, video }: MediaFacts,
  { path, from, count }: { path: string; from: number; count: number },
) {
  const { stdout, stderrTail } = await readTool(context, 'ffmpeg', [
    ...[...guardedGlobals, '-threads', '2', '-max_pixels', String(context.maxPixels)],
    ...(from > 0 ? ['-ss', from.toFixed(6)] : []),
    ...[...guardedInput(path, demuxers[format]), '-map', `0:${video.index}`],
    ...['-frames:v', String(count), '-fps_mode:v', 'passthrough', '-f', 'framemd5', '-'],
  ])
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return { pictures: lines.map((line) => line.split(',').at(-1)?.trim()), complaint: stderrTail }
}
