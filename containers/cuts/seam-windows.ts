import type { FrameSpan } from '../timeline/frame-spans.ts'
import { collectSamples, type Samples } from './film.ts'
import { fileOf, seamsOf, type Cutting } from './cutting.ts'
import type { Places } from './find-runs.ts'

/** How many copied pictures on either side of a seam are decoded with it to prove it. */
export const lookedAt = 3

type CutPackets = Pick<Cutting, 'source' | 'pieces'>

/** The packets that have to be decoded for some pictures: `from` up to but not including `to` in decoding order. */
export type Window = { readonly from: number; readonly to: number; readonly places: Places }

/** Begins with the last key picture from which all of the pictures can be decoded. */
export function windowFor({ source }: Pick<CutPackets, 'source'>, places: Places): Window {
  const { packing, shown } = source
  const first = shown.packets[places.from] ?? 0
  const firstAt = packing.shownAt[first] ?? 0
  let from = first
  while (from > 0 && !(packing.keys[from] === 1 && (packing.shownAt[from] ?? 0) <= firstAt)) from--
  const wanted = shown.packets.subarray(places.from, places.to)
  return { from, to: wanted.reduce((last, packet) => Math.max(last, packet), 0) + 1, places }
}

export function seamWindows(cutting: CutPackets): Window[] {
  return seamsOf(cutting.pieces).map(({ places }) => windowFor(cutting, places))
}

/** The packets of several windows as one film, with one tick for each picture. */
export type WindowFilm = {
  readonly samples: Samples
  /** How many pictures are decoded. */
  readonly ticks: number
  /** The ticks of the wanted pictures. */
  readonly wanted: readonly FrameSpan[]
}

/** With `pauseBytes`, each window ends with the only packet of a file behind all others, which shows no picture. */
export function filmOfWindows(
  { source }: Pick<CutPackets, 'source'>,
  windows: readonly Window[],
  pauseBytes = 0,
): WindowFilm {
  const { packing, shown, files } = source
  const film = collectSamples(windows.reduce((sum, { from, to }) => sum + to - from + 1, 0))
  const wanted: FrameSpan[] = []
  let ticks = 0
  for (const { from, to, places } of windows) {
    const begin = packing.shownAt[from] ?? 0
    const file = fileOf(source, from)
    // What is shown before the first key picture cannot be decoded from there.
    const packets = Array.from({ length: to - from }, (_, i) => from + i).filter(
      (packet) => (packing.shownAt[packet] ?? 0) >= begin,
    )
    const ordered = packets.toSorted(
      (a, b) => (packing.shownAt[a] ?? 0) - (packing.shownAt[b] ?? 0),
    )
    const tickOf = new Map(ordered.map((packet, i) => [packet, ticks + i]))
    for (const packet of packets) {
      film.add({
        file,
        position: packing.positions[packet] ?? 0,
        sizeBytes: packing.sizes[packet] ?? 0,
        at: tickOf.get(packet) ?? 0,
        isKey: packet === from,
      })
    }
    const first = tickOf.get(shown.packets[places.from] ?? 0) ?? 0
    wanted.push({ from: first, to: first + places.to - places.from })
    ticks += packets.length
    if (pauseBytes === 0) continue
    film.add({ file: files.length, position: 0, sizeBytes: pauseBytes, at: ticks, isKey: false })
    ticks += 1
  }
  return { samples: film.finish(), ticks, wanted }
}
