import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Packets } from '../../ffmpeg/measure-packing.ts'
import { runFfmpeg } from '../../ffmpeg/process/run-ffmpeg.ts'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { graphInto, writingGlobals, guardedPieces } from '../../graph/compile-args.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { avcUnitType, nalUnits, packetOf } from '../bits/nal-units.ts'
import { PacketUnits } from '../bits/packet-units.ts'
import { CutFault } from '../cut-fault.ts'
import type { Cutting, Description } from '../cut-model.ts'
import type { Sps } from '../h264/avc-parameter-sets.ts'
import { sliceUnits, type PictureNumbers } from '../h264/avc-slice.ts'
import { renumberAvc } from '../h264/renumber-avc.ts'
import { renumberHevc } from '../hevc/renumber-hevc.ts'
import { avcParameterSetsOf } from '../mp4/describe-film.ts'
import { plainFile, readModel } from '../mp4/film-model.ts'
import { readPackets } from '../mp4/read-packets.ts'
import { cutFiles } from '../plan/cutting.ts'
import { composed, wantedAt, windowFps } from '../plan/made-pictures.ts'
import { countEncoded, keyPictures, numberSeams } from '../plan/number-seams.ts'
import { wantedPictures, writeWindows, type WindowReading } from './write-windows.ts'

/** The packets of the seams, and how they are coded. */
type EncodedSeams = { readonly packing: Packets; readonly description: Description }

/** Encodes the pictures of all seams in one go. */
export async function encodeSeams(
  tools: ToolContext,
  cutting: Cutting,
  onShare: (share: number) => void,
): Promise<EncodedSeams> {
  const { source, groups, windows, coding, parts, form } = cutting
  const { codec, parameterSets, shown } = source
  const written = codec === 'hevc' || parameterSets ? cutFiles.encoded : cutFiles.seams
  await using units = new PacketUnits(tools.folder, source)
  const reading = await writeWindows(tools, cutFiles.windows, { source, units }, windows)
  const wanted = groups.flatMap(({ seams }) => seams.map((seam) => wantedAt(parts, seam)))
  const picture = composed(wantedPictures(reading), wanted, form)
  const work = { coding, picture, reading, written, keys: keyPictures(groups) }
  const command = seamCommand(tools, work)
  const pictures = Math.max(1, countEncoded(groups))
  await runFfmpeg(tools, command, ({ frames }) => onShare(frames / pictures))
  const video = { ...source.facts.video, index: 0 }
  const packing = await readPackets(tools, written, { format: 'mp4', video })
  const { description } = await readModel(tools, written)
  const seams = { packing, description }
  if (parameterSets) {
    return renumbered(tools, seams, numberSeams(groups, shown), parameterSets.sps)
  }
  if (codec !== 'hevc') return seams
  return {
    packing: await rewriteSeams(tools, packing, (units) => units.map(renumberHevc)),
    description,
  }
}

/** Rewrites the slices of H.264 for the parameter sets of the source and with numbers that fit its pictures. */
async function renumbered(
  tools: ToolContext,
  { packing, description }: EncodedSeams,
  numbers: readonly PictureNumbers[],
  sps: Sps,
): Promise<EncodedSeams> {
  const own = avcParameterSetsOf(description)
  if (!own) throw new CutFault('the parameter sets of its seams are of an unknown kind')
  const rewritten = await rewriteSeams(tools, packing, (units, picture) => {
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
  readonly coding: readonly string[]
  /** The graph of what is encoded. */
  readonly picture: Stream<'video'>
  readonly reading: WindowReading
  readonly written: string
  /** The pictures that are encoded without reference to others. */
  readonly keys: readonly number[]
}

function seamCommand(
  { threads, maxPixels }: ToolContext,
  { coding, picture, reading, written, keys }: SeamWork,
) {
  const graph = graphInto('made', picture)
  const graphPath = `${written}.graph`
  const keyTimes = keys.map((key) => (key / windowFps).toFixed(3)).join(',')
  const args = [
    ...writingGlobals,
    ...['-threads', String(threads), '-max_pixels', String(maxPixels), '-noautorotate'],
    ...guardedPieces(reading.pieces, 'mov'),
    ...['-filter_complex_script', graphPath, '-map', '[made]', '-fps_mode:v', 'passthrough'],
    ...coding,
    ...['-force_key_frames', keyTimes, '-threads', String(threads), '-an', ...plainFile],
    `file:${written}`,
  ]
  return { args, files: [{ path: graphPath, text: graph }] }
}

/** Rewrites the packets of seams; `rewrite` may make several units from one. */
async function rewriteSeams(
  { folder, signal }: ToolContext,
  packing: Packets,
  rewrite: (units: readonly Buffer[], picture: number) => readonly Buffer[],
): Promise<Packets> {
  await using encoded = await open(path.join(folder, cutFiles.encoded))
  await using seams = await open(path.join(folder, cutFiles.seams), 'w')
  const [positions, sizes] = [packing.positions.slice(), packing.sizes.slice()]
  let written = 0
  for (const [i, size] of packing.sizes.entries()) {
    signal.throwIfAborted()
    const { buffer } = await encoded.read(Buffer.alloc(size), 0, size, packing.positions[i] ?? 0)
    const units = Array.from(nalUnits(buffer), (unit) => {
      if (!unit) throw new CutFault('its seams are damaged')
      return unit
    })
    const packet = packetOf(rewrite(units, i))
    await seams.write(packet)
    positions[i] = written
    sizes[i] = packet.length
    written += packet.length
  }
  return { ...packing, positions, sizes }
}
