import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { CutFault } from '../cut-fault.ts'
import {
  fileOf,
  type CutSource,
  type Entry,
  type OpenEntry,
  type Places,
  type LeadIn,
} from '../cut-model.ts'
import { collectSamples, type Samples } from '../mp4/film.ts'

/** How many copied pictures on either side of a seam are decoded with it to prove it. */
export const lookedAt = 3

/** A film, and how a decoder may begin with its packets. */
export type Readable = {
  readonly source: Pick<CutSource, 'packing' | 'shown' | 'files'>
  readonly entryOf: (packet: number) => Promise<Entry>
}

/** The packets that have to be decoded for some pictures: `from` up to but not including `to` in decoding order. */
export type Window = {
  readonly from: number
  readonly to: number
  readonly places: Places
  /** What comes before its first packet, if that opens a group. */
  readonly entry: OpenEntry | undefined
}

/** Hostile files may call every packet a key picture. */
const mostKeys = 1_000

/** Begins with the last key picture from which all of the pictures can be decoded. */
export async function windowFor({ source, entryOf }: Readable, places: Places): Promise<Window> {
  const { packing, shown, files } = source
  const first = shown.packets[places.from] ?? 0
  const begin = files[fileOf(source, first)]?.from ?? 0
  const firstAt = packing.shownAt[first] ?? 0
  const wanted = shown.packets.subarray(places.from, places.to)
  const to = wanted.reduce((last, packet) => Math.max(last, packet), 0) + 1
  let tries = 0
  for (let from = first; from > begin; from--) {
    if (packing.keys[from] !== 1 || (packing.shownAt[from] ?? 0) > firstAt) continue
    if (tries++ === mostKeys) throw new CutFault('its key pictures cannot be decoded by themselves')
    const entry = await entryOf(from)
    if (entry === 'closed') return { from, to, places, entry: undefined }
    if (entry !== 'never') return { from, to, places, entry }
  }
  return { from: begin, to, places, entry: undefined }
}

export async function windowsFor(readable: Readable, all: readonly Places[]): Promise<Window[]> {
  const windows: Window[] = []
  for (const places of all) windows.push(await windowFor(readable, places))
  return windows
}

/** The packets of several windows as one film, with one tick for each picture. */
export type WindowFilm = {
  readonly samples: Samples
  /** How many pictures are decoded. */
  readonly ticks: number
  /** The ticks of the wanted pictures. */
  readonly wanted: readonly FrameSpan[]
}

/** What of another file stands between the packets of windows. */
export type Between = {
  /** The bytes of its first packet, with which each window ends, and which shows no picture. */
  readonly pauseBytes: number
  /** What comes before each window. */
  readonly leadIns: readonly (LeadIn | undefined)[]
}

export function filmOfWindows(
  { source }: Pick<Readable, 'source'>,
  windows: readonly Window[],
  { pauseBytes, leadIns }: Between,
): WindowFilm {
  const { packing, shown, files } = source
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
    const file = fileOf(source, from)
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

/** One tick for each packet, in the order of showing. */
function ticksFrom(
  first: number,
  packets: readonly number[],
  { shownAt }: CutSource['packing'],
): Map<number, number> {
  const ordered = packets.toSorted((a, b) => (shownAt[a] ?? 0) - (shownAt[b] ?? 0))
  return new Map(ordered.map((packet, place) => [packet, first + place]))
}

/** At most: with what comes before, and a pause. */
export function countPackets(windows: readonly Window[]): number {
  return windows.reduce((sum, { from, to, entry }) => sum + to - from + 1 + (entry?.before ?? 0), 0)
}

/** What is shown before the first key picture cannot be decoded from there, unless something stands in its place. */
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
