import { measurePacking, type Packing } from '../ffmpeg/measure-packing.ts'
import { runFfmpeg } from '../ffmpeg/run-ffmpeg.ts'
import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { guardedGlobals, guardedPieces } from '../graph/compile-args.ts'
import { CutFault } from './cut-fault.ts'
import { cutFiles, type Cutting } from './cutting.ts'
import { seamSetId, type Description } from './describe-film.ts'
import { plainFile, readModel, type Model } from './film-model.ts'
import { renumberSeams } from './renumber-seams.ts'
import { avcSeamCoding, hevcSeamCoding, type SeamCoding } from './seam-coding.ts'
import { seamWindows } from './seam-windows.ts'
import { windowFps, writeWindows, type WindowReading } from './write-windows.ts'

/** The packets of the seams, and how they are coded. */
export type EncodedSeams = { readonly packing: Packing; readonly description: Description }

/** Encodes the pictures of all seams in one go. */
export async function encodeSeams(
  context: ToolContext,
  cutting: Cutting,
  model: Model,
): Promise<EncodedSeams> {
  const { source } = cutting
  const { codec, packing: stored, facts } = source
  const setId = seamSetId(codec, model.description)
  const isHevc = codec === 'hevc'
  const coding = isHevc ? hevcSeamCoding(stored, context.threads) : avcSeamCoding(stored, setId)
  if ('why' in coding) throw new CutFault(coding.why)
  const written = isHevc ? cutFiles.encoded : cutFiles.seams
  const windows = { source, windows: seamWindows(cutting) }
  const reading = await writeWindows(context, cutFiles.windows, windows, model)
  await runFfmpeg(
    context,
    seamCommand(context, cutting, { coding, reading, written }),
    () => undefined,
  )
  const video = { ...facts.video, index: 0 }
  const packing = await measurePacking(context, written, { format: 'mp4', video })
  const { description } = await readModel(context, written)
  if (!isHevc) return { packing, description }
  return { packing: await renumberSeams(context, packing), description }
}

type SeamWork = {
  readonly coding: SeamCoding
  readonly reading: WindowReading
  readonly written: string
}

function seamCommand(
  { threads, maxPixels }: ToolContext,
  { pieces }: Cutting,
  { coding, reading, written }: SeamWork,
) {
  const graph = [`settb=1/${windowFps}`, reading.select, 'setpts=N'].join(',')
  const graphPath = `${written}.graph`
  const args = [
    ...[...guardedGlobals, '-y', '-progress', 'pipe:1', '-stats_period', '0.5'],
    ...['-threads', String(threads), '-max_pixels', String(maxPixels), '-noautorotate'],
    ...guardedPieces(reading.pieces, 'mov'),
    ...['-filter_script:v', graphPath, '-map', '0:0', '-fps_mode:v', 'passthrough'],
    ...coding.args,
    ...['-force_key_frames', keyTimes(pieces), '-threads', String(threads), '-an', ...plainFile],
    `file:${written}`,
  ]
  return { args, files: [{ path: graphPath, text: graph }] }
}

/** A decoder starts again at every seam that follows copied packets. */
function keyTimes(pieces: Cutting['pieces']): string {
  const times: string[] = []
  let count = 0
  pieces.forEach((piece, i) => {
    if (piece.kind !== 'seam') return
    if (pieces[i - 1]?.kind !== 'seam') times.push((count / windowFps).toFixed(3))
    count += piece.places.to - piece.places.from
  })
  return times.join(',')
}
