import { measurePacking, type Packing } from '../../ffmpeg/measure-packing.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { guardedGlobals, guardedPieces } from '../../graph/compile-args.ts'
import type { AvcSets } from '../h264/avc-sets.ts'
import { sliceUnits, type PictureNumbers } from '../h264/avc-slice.ts'
import { CutFault } from '../cut-fault.ts'
import { cutFiles, seamsOf } from '../plan/cutting.ts'
import type { Cutting, Description } from '../cut-model.ts'
import { avcSetsOf, seamSetId } from '../mp4/describe-film.ts'
import { plainFile, readModel } from '../mp4/film-model.ts'
import { numberSeams, seamGroups } from '../h264/number-seams.ts'
import { renumberAvc } from '../h264/renumber-avc.ts'
import { renumberHevc } from '../hevc/renumber-hevc.ts'
import { rewriteSeams } from '../bits/rewrite-seams.ts'
import { seamCoding, type SeamCoding } from './seam-coding.ts'
import { windowFps, writeWindows, type WindowReading } from './write-windows.ts'
import { avcUnitType } from '../bits/nal-unit-type.ts'

/** The packets of the seams, and how they are coded. */
export type EncodedSeams = { readonly packing: Packing; readonly description: Description }

/** Encodes the pictures of all seams in one go. */
export async function encodeSeams(context: ToolContext, cutting: Cutting): Promise<EncodedSeams> {
  const { source, pieces } = cutting
  const { codec, sets, shown } = source
  const coding = codingFor(context, cutting)
  const numbers = sets && numberSeams(pieces, shown)
  const written = codec === 'hevc' || numbers ? cutFiles.encoded : cutFiles.seams
  const places = seamsOf(pieces).map((seam) => seam.places)
  const reading = await writeWindows(context, cutFiles.windows, source, places)
  const keys = numbers ? keysOf(cutting, numbers) : groupStarts(cutting)
  const command = seamCommand(context, { coding, reading, written, keys })
  await runFfmpeg(context, command, () => undefined)
  const video = { ...source.facts.video, index: 0 }
  const packing = await measurePacking(context, written, { format: 'mp4', video })
  const { description } = await readModel(context, written)
  const seams = { packing, description }
  if (sets && numbers) return renumbered(context, seams, numbers, sets)
  if (codec !== 'hevc') return seams
  return {
    packing: await rewriteSeams(context, packing, (units) => units.map(renumberHevc)),
    description,
  }
}

function codingFor(context: ToolContext, { source }: Cutting): SeamCoding {
  const { codec, packing, model, sets } = source
  const setId = seamSetId(codec, model.description)
  const isRewritten = sets !== undefined
  const coding = seamCoding(codec, packing, { setId, isRewritten, threads: context.threads })
  if ('why' in coding) throw new CutFault(coding.why)
  return coding
}

/** Writes the slices of H.264 once more, for the parameter sets of the source and with numbers that fit its pictures. */
async function renumbered(
  context: ToolContext,
  { packing, description }: EncodedSeams,
  numbers: readonly PictureNumbers[],
  { sps }: AvcSets,
): Promise<EncodedSeams> {
  const own = avcSetsOf(description)
  if (!own) throw new CutFault('the parameter sets of its seams are of an unknown kind')
  const rewritten = await rewriteSeams(context, packing, (units, picture) => {
    const one = numbers[picture]
    if (!one) throw new CutFault(`more than ${numbers.length} pictures were encoded for its seams`)
    return units.filter(isSlice).map((unit) => renumberAvc(unit, own, one, sps))
  })
  const keys = packing.keys.map((_, i) => (numbers[i]?.idrPicId === undefined ? 0 : 1))
  return { packing: { ...rewritten, keys }, description }
}

function isSlice(unit: Buffer): boolean {
  const type = avcUnitType(unit[0] ?? 0)
  return type === sliceUnits.nonIdr || type === sliceUnits.idr
}

type SeamWork = {
  readonly coding: SeamCoding
  readonly reading: WindowReading
  readonly written: string
  /** Which pictures are encoded without any other. */
  readonly keys: readonly number[]
}

function seamCommand(
  { threads, maxPixels }: ToolContext,
  { coding, reading, written, keys }: SeamWork,
) {
  const graph = [`settb=1/${windowFps}`, reading.select, 'setpts=N'].join(',')
  const graphPath = `${written}.graph`
  const keyTimes = keys.map((key) => (key / windowFps).toFixed(3)).join(',')
  const args = [
    ...[...guardedGlobals, '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-threads', String(threads), '-max_pixels', String(maxPixels), '-noautorotate'],
    ...guardedPieces(reading.pieces, 'mov'),
    ...['-filter_script:v', graphPath, '-map', '0:0', '-fps_mode:v', 'passthrough'],
    ...coding.args,
    ...['-force_key_frames', keyTimes, '-threads', String(threads), '-an', ...plainFile],
    `file:${written}`,
  ]
  return { args, files: [{ path: graphPath, text: graph }] }
}

/** A decoder starts again at every seam that follows copied packets. */
function groupStarts({ pieces }: Cutting): number[] {
  let count = 0
  return seamGroups(pieces).map(({ pictures }) => (count += pictures) - pictures)
}

/** Slices have their own kinds of references: pictures with which a decoder begins again have none, and leads have none. */
function keysOf({ pieces }: Cutting, numbers: readonly PictureNumbers[]): number[] {
  const leads = new Set<number>()
  let count = 0
  for (const { pictures, next } of seamGroups(pieces)) {
    count += pictures
    for (let i = count - (next?.leads ?? 0); i < count; i++) leads.add(i)
  }
  return [...numbers.keys()].filter((i) => numbers[i]?.idrPicId !== undefined || leads.has(i))
}
