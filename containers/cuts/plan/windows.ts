import { fileOf } from '../bits/packet-units.ts'
import { CutFault } from '../cut-fault.ts'
import type { CutSource, Places, DecodingWindow } from '../cut-model.ts'
import type { Entries } from './entry-kinds.ts'

/** How many copied pictures on either side of a seam are decoded with it, to prove it. */
export const lookedAt = 3

/** A film, and how a decoder may begin with its packets. */
type Seekable = Pick<Entries, 'entryOf'> & {
  readonly source: Pick<CutSource, 'packing' | 'shown' | 'files'>
}

/** Hostile files may call every packet a key picture. */
const mostKeys = 1_000

/** The window for some pictures. It begins with the last key picture from which all of them can be decoded. */
async function windowFor({ source, entryOf }: Seekable, places: Places): Promise<DecodingWindow> {
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

export async function windowsFor(
  readable: Seekable,
  all: readonly Places[],
): Promise<DecodingWindow[]> {
  const windows: DecodingWindow[] = []
  for (const places of all) windows.push(await windowFor(readable, places))
  return windows
}

/** An upper bound, with lead-in packets and a separator for each window. */
export function countPackets(windows: readonly DecodingWindow[]): number {
  return windows.reduce((sum, { from, to, entry }) => sum + to - from + 1 + (entry?.before ?? 0), 0)
}
