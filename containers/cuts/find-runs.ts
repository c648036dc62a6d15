import type { Packing } from '../ffmpeg/measure-packing.ts'
import type { KeptPart, Shown } from './kept-pictures.ts'

/**
 * How a decoder may begin with a packet: `closed` if all that follows needs nothing before it, `open` if pictures that
 * are shown before it do, `never` if it cannot begin there.
 */
export type Entry = 'closed' | 'open' | 'never'

/** Packets that are copied, `from` up to but not including `to` in decoding order. */
export type Run = {
  readonly kind: 'run'
  readonly part: number
  readonly from: number
  readonly to: number
  readonly entry: Exclude<Entry, 'never'>
  /** The pictures that they show. Packets of other pictures are left out: those shown before the first one. */
  readonly places: Places
}

/** Pictures that are encoded. */
export type Seam = { readonly kind: 'seam'; readonly part: number; readonly places: Places }

/** Places in the order of showing, `from` up to but not including `to`. */
export type Places = { readonly from: number; readonly to: number }

export type Piece = Run | Seam

type Source = { readonly packing: Packing; readonly shown: Shown }

/** How many key pictures of one part are tried before it is encoded. */
const mostTries = 50

/**
 * Divides the kept parts into runs of packets, which are copied, and seams, which are encoded. A run begins where a
 * decoder can begin, and ends where no picture after it in decoding order is shown before one of its own.
 */
export async function findPieces(
  source: Source,
  parts: readonly KeptPart[],
  entryOf: (packet: number) => Promise<Entry>,
): Promise<Piece[]> {
  const divided: Piece[][] = []
  for (const [i, part] of parts.entries()) {
    const pieces = await divide(source, { ...part, index: i }, { copiedTo: part.to, entryOf })
    const before = parts[i - 1]
    const joins = [divided.at(-1)?.at(-1), pieces[0]]
    if (before && joins.every((piece) => piece?.kind === 'run') && isOpen(joins[1])) {
      // A decoder has to begin again before an open group: a picture of the part before it becomes a seam.
      const asked = { copiedTo: before.to - 1, entryOf }
      divided.splice(-1, 1, await divide(source, { ...before, index: i - 1 }, asked))
    }
    divided.push(pieces)
  }
  return divided.flat()
}

function isOpen(piece: Piece | undefined): boolean {
  return piece?.kind === 'run' && piece.entry === 'open'
}

type Asked = {
  /** Pictures from here on are encoded. */
  readonly copiedTo: number
  readonly entryOf: (packet: number) => Promise<Entry>
}

async function divide(source: Source, part: NumberedPart, { copiedTo, entryOf }: Asked) {
  const run = await findRun(source, { ...part, to: copiedTo }, entryOf)
  const seams: Places[] = run
    ? [
        { from: part.from, to: run.places.from },
        { from: run.places.to, to: part.to },
      ]
    : [part]
  const [before, after] = seams.map(({ from, to }): Seam[] =>
    from < to ? [{ kind: 'seam', part: part.index, places: { from, to } }] : [],
  )
  return [...(before ?? []), ...(run ? [run] : []), ...(after ?? [])]
}

type NumberedPart = KeptPart & { readonly index: number }

async function findRun(
  source: Source,
  part: NumberedPart,
  entryOf: (packet: number) => Promise<Entry>,
): Promise<Run | undefined> {
  let tries = 0
  for (const packet of keysWithin(source, part)) {
    if (tries++ === mostTries) return undefined
    const entry = await entryOf(packet)
    if (entry === 'never') continue
    const run = longestRun(source, part, { packet, entry })
    if (run) return run
  }
  return undefined
}

function* keysWithin({ packing, shown }: Source, part: KeptPart): Generator<number> {
  for (let place = part.from; place < part.to; place++) {
    const packet = shown.packets[place] ?? 0
    if (packing.keys[packet] === 1) yield packet
  }
}

function longestRun(
  { shown, packing }: Source,
  part: NumberedPart,
  { packet, entry }: { packet: number; entry: Run['entry'] },
): Run | undefined {
  const first = shown.places[packet] ?? 0
  let [count, last] = [0, first]
  let best: { to: number; end: number } | undefined
  for (let i = packet; i < packing.sizes.length; i++) {
    const place = shown.places[i] ?? -1
    // Pictures that follow the first one and are shown before it may need what came before it.
    const isLeading = place >= 0 && place < first && count === 1
    if (isLeading) continue
    if (place < first || place >= part.to) break
    count += 1
    last = Math.max(last, place)
    if (last - first + 1 === count) best = { to: i + 1, end: last + 1 }
  }
  if (!best) return undefined
  const places = { from: first, to: best.end }
  return { kind: 'run', part: part.index, from: packet, to: best.to, entry, places }
}
