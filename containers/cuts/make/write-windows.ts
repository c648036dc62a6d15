import { open, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ToolContext } from '../../ffmpeg/process/run-tool.ts'
import { fileInPieces, pipeAll, streamOf, type Stream } from '../../graph/filter-graph.ts'
import { keptSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import { keepExpression } from '../../timeline/keep-expression.ts'
import { avcUnitType, packetOf } from '../bits/nal-units.ts'
import { fileOf, type PacketUnits } from '../bits/packet-units.ts'
import { CutFault } from '../cut-fault.ts'
import type { CutSource, Places, DecodingWindow } from '../cut-model.ts'
import type { AvcParameterSets } from '../h264/avc-parameter-sets.ts'
import { sliceUnits, type PictureNumbers } from '../h264/avc-slice.ts'
import { renumberAvc } from '../h264/renumber-avc.ts'
import { endOfSequence } from '../hevc/renumber-hevc.ts'
import { filmHead } from '../mp4/film-head.ts'
import { collectSamples, type Samples } from '../mp4/film.ts'
import { windowFps } from '../plan/made-pictures.ts'
import { countIdrPicIds, numbersBefore } from '../plan/number-seams.ts'
import { countPackets } from '../plan/windows.ts'

/** How to read a film of windows: its files, and the expression that selects the wanted pictures. */
export type WindowReading = { readonly pieces: readonly string[]; readonly select: string }

/** A film whose packets can be read. */
type OpenedCut = { readonly source: CutSource; readonly units: PacketUnits }

/** Writes the head of a film that has only the packets of some windows. */
export async function writeWindows(
  tools: ToolContext,
  name: string,
  { source, units }: OpenedCut,
  windows: readonly DecodingWindow[],
): Promise<WindowReading> {
  const { movie, description } = source.model
  const last = `${name}.between`
  const between = await writeBetween(tools, last, { source, units }, windows)
  const { samples, ticks, wanted } = filmOfWindows(source, windows, between)
  const pieces = [...source.files.map((file) => file.path), ...(between.bytes > 0 ? [last] : [])]
  const fileBytes = await Promise.all(
    pieces.map(async (piece) => (await stat(path.join(tools.folder, piece))).size),
  )
  const film = { model: movie, description, timescale: windowFps, samples, endTick: ticks }
  await writeFile(path.join(tools.folder, name), filmHead({ ...film, fileBytes }))
  const select = keepExpression(keptSpans(wanted, ticks), 'pts')
  return { pieces: [name, ...pieces], select }
}

/** Writes what separates the windows, so that the decoder of one is not influenced by the one before. */
async function writeBetween(
  tools: ToolContext,
  name: string,
  { source: { codec, parameterSets }, units }: OpenedCut,
  windows: readonly DecodingWindow[],
): Promise<WindowSeparator> {
  if (codec === 'hevc') {
    const pause = packetOf([endOfSequence])
    await writeFile(path.join(tools.folder, name), pause)
    return { pauseBytes: pause.length, leadIns: [], bytes: pause.length }
  }
  if (!parameterSets) return { pauseBytes: 0, leadIns: [], bytes: 0 }
  return writeLeadIns(tools, name, { parameterSets, units }, windows)
}

/** A packet that was written for a window. */
type WrittenPackets = { readonly position: number; readonly sizeBytes: number }

/**
 * Pictures that make a decoder begin with an open group of H.264 as if it had decoded everything before: some to count up to
 * it, and others in the places of its leading pictures. All are copies of its first picture.
 */
type LeadIn = {
  readonly before: readonly WrittenPackets[]
  readonly instead: ReadonlyMap<number, WrittenPackets>
}

const mostLeadInBytes = 256 * 1024 ** 2

/** Writes the lead-ins of all windows that begin with such a group, into one file. */
async function writeLeadIns(
  { folder, signal }: ToolContext,
  name: string,
  { parameterSets, units }: { parameterSets: AvcParameterSets; units: PacketUnits },
  windows: readonly DecodingWindow[],
): Promise<WindowSeparator> {
  await using file = await open(path.join(folder, name), 'w')
  const nextIdrPicId = countIdrPicIds()
  let bytes = 0
  const leadIns: (LeadIn | undefined)[] = []
  for (const { from, entry } of windows) {
    const { numbers } = entry ?? {}
    const slices = numbers ? await slicesOf(units, from) : []
    const write = async (one: PictureNumbers): Promise<WrittenPackets> => {
      signal.throwIfAborted()
      const packet = packetOf(
        slices.map((slice) => renumberAvc(slice, parameterSets, one, parameterSets.sps)),
      )
      if (bytes + packet.length > mostLeadInBytes)
        throw new CutFault('its open groups are too large')
      await file.write(packet)
      bytes += packet.length
      return { position: bytes - packet.length, sizeBytes: packet.length }
    }
    const before: WrittenPackets[] = []
    const instead = new Map<number, WrittenPackets>()
    for (const one of numbers ? numbersBefore(numbers, nextIdrPicId) : [])
      before.push(await write(one))
    for (const [packet, one] of numbers?.leading ?? []) {
      instead.set(packet, await write({ ...one, idrPicId: undefined }))
    }
    leadIns.push(numbers && { before, instead })
  }
  return { pauseBytes: 0, leadIns, bytes }
}

async function slicesOf(units: PacketUnits, packet: number): Promise<Buffer[]> {
  const slices: Buffer[] = []
  for await (const unit of units.of(packet)) {
    if (avcUnitType(unit.first) === sliceUnits.nonIdr) slices.push(await units.bytesOf(unit))
  }
  return slices
}

/** The packets of several windows as one film, with one tick for each picture. */
type WindowFilm = {
  readonly samples: Samples
  /** How many pictures are decoded. */
  readonly ticks: number
  /** The ticks of the wanted pictures. */
  readonly wanted: readonly FrameSpan[]
}

/** The parts of another file that go between the windows' packets. */
type WindowSeparator = {
  /** The bytes of its first packet, which ends each window and shows no picture. */
  readonly pauseBytes: number
  /** What comes before each window. */
  readonly leadIns: readonly (LeadIn | undefined)[]
  /** The size of that file. */
  readonly bytes: number
}

function filmOfWindows(
  { packing, shown, files }: CutSource,
  windows: readonly DecodingWindow[],
  { pauseBytes, leadIns }: WindowSeparator,
): WindowFilm {
  const last = files.length
  const film = collectSamples(countPackets(windows))
  const wanted: FrameSpan[] = []
  let ticks = 0
  for (const [i, { from, to, places }] of windows.entries()) {
    const { before = [], instead } = leadIns[i] ?? {}
    before.forEach((packet, at) =>
      film.add({ ...packet, file: last, at: ticks + at, isKey: at === 0 }),
    )
    ticks += before.length
    const packets = packetsOf(packing, { from, to }, instead)
    const file = fileOf({ files }, from)
    const tickOf = ticksFrom(ticks, packets, packing)
    for (const packet of packets) {
      const written = instead?.get(packet)
      film.add({
        file: written ? last : file,
        position: written?.position ?? packing.positions[packet] ?? 0,
        sizeBytes: written?.sizeBytes ?? packing.sizes[packet] ?? 0,
        at: tickOf.get(packet) ?? 0,
        isKey: packet === from,
      })
    }
    const first = tickOf.get(shown.packets[places.from] ?? 0) ?? 0
    wanted.push({ from: first, to: first + places.to - places.from })
    ticks += packets.length
    if (pauseBytes === 0) continue
    film.add({ file: last, position: 0, sizeBytes: pauseBytes, at: ticks, isKey: false })
    ticks += 1
  }
  return { samples: film.finish(), ticks, wanted }
}

/** One tick for each packet, in display order. */
function ticksFrom(
  first: number,
  packets: readonly number[],
  { shownAt }: CutSource['packing'],
): Map<number, number> {
  const ordered = packets.toSorted((a, b) => (shownAt[a] ?? 0) - (shownAt[b] ?? 0))
  return new Map(ordered.map((packet, place) => [packet, first + place]))
}

/** Pictures that are shown before the first key picture cannot be decoded from it unless stand-ins precede it. */
function packetsOf(
  { shownAt }: CutSource['packing'],
  { from, to }: Places,
  instead: LeadIn['instead'] = new Map(),
): number[] {
  const begin = shownAt[from] ?? 0
  return Array.from({ length: to - from }, (_, i) => from + i).filter(
    (packet) => instead.has(packet) || (shownAt[packet] ?? 0) >= begin,
  )
}

/** The wanted pictures of such a film, numbered from zero. */
export function wantedPictures({ pieces, select }: WindowReading): Stream<'video'> {
  const [first = '', ...others] = pieces
  return pipeAll(streamOf(fileInPieces([first, ...others]), 'video', 0), [
    ['settb', { expr: `1/${windowFps}` }],
    ['select', { expr: select }],
    ['setpts', { expr: 'N' }],
  ])
}
