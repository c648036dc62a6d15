import type { Packing } from '../ffmpeg/measure-packing.ts'
import type { EntryNumbers } from './avc-entries.ts'
import type { Entries } from './entry-kinds.ts'
import type { KeptPart, Shown } from './kept-pictures.ts'

/**
 * How a decoder may begin with a packet: `closed` if all that follows needs nothing before it, `never` if it cannot begin
 * there.
 */
export type Entry = 'closed' | 'never' | OpenEntry

/** Pictures that are stored after the packet and shown before it may need what came before. */
export type OpenEntry = {
  /** How many encoded pictures have to come before it. */
  readonly before: number
  /** Those pictures, if encoded ones have to be stored in their places; others are left out. */
  readonly leads: readonly { readonly packet: number; readonly isNeeded: boolean }[]
  /** How encoded pictures have to be numbered; undefined if that does not matter. */
  readonly numbers: EntryNumbers | undefined
}

/** Packets that are copied, `from` up to but not including `to` in decoding order. */
export type Run = {
  readonly kind: 'run'
  readonly part: number
  readonly from: number
  readonly to: number
  readonly entry: Exclude<Entry, 'never'>
  /** The pictures that they show. Packets of other pictures are left out: those shown before the first one. */
  readonly places: Places
  /** How many of the encoded pictures before it are stored in the places of such packets. */
  readonly leads: number
}

/** Pictures that are encoded. */
export type Seam = { readonly kind: 'seam'; readonly part: number; readonly places: Places }

/** Places in the order of showing, `from` up to but not including `to`. */
export type Places = { readonly from: number; readonly to: number }

export type Piece = Run | Seam

type Source = Pick<Entries, 'entryOf' | 'followHidden'> & {
  readonly packing: Packing
  readonly shown: Shown
}

/** How many key pictures of one part are tried before it is encoded. */
const mostTries = 50

/**
 * Divides the kept parts into runs of packets, which are copied, and seams, which are encoded. A run begins where a
 * decoder can begin, and ends where no picture after it in decoding order is shown before one of its own, and where it has
 * shown all of its hidden frames.
 */
export async function findPieces(source: Source, parts: readonly KeptPart[]): Promise<Piece[]> {
  const divided: Piece[][] = []
  let before: NumberedPart | undefined
  for (const [i, { from, to }] of parts.entries()) {
    const part = { from, to, index: i }
    const pieces = await divide(source, part, before)
    const missing = missingBefore(pieces, part)
    if (before && missing > countLast(divided[before.index])) {
      // The last pictures of the part before an open group become a seam.
      const shorter = { ...before, copiedTo: before.to - missing }
      divided[before.index] = await divide(source, shorter, undefined, divided[before.index])
    }
    divided.push(pieces)
    if (from < to) before = part
  }
  return divided.flat()
}

type NumberedPart = Places & {
  readonly index: number
  /** Pictures from here on are encoded; the end of the part if undefined. */
  readonly copiedTo?: number
}

/** How many pictures an open group needs before it that its own part does not have. */
function missingBefore(pieces: readonly Piece[], { from }: Places): number {
  const run = pieces.find((piece) => piece.kind === 'run')
  if (!run || run.entry === 'closed') return 0
  return Math.max(0, run.entry.before - (run.places.from - run.leads - from))
}

/** How many encoded pictures a part ends with. */
function countLast(pieces: readonly Piece[] = []): number {
  const last = pieces.at(-1)
  return last?.kind === 'seam' ? last.places.to - last.places.from : 0
}

async function divide(
  source: Source,
  part: NumberedPart,
  before: Places | undefined,
  divided?: readonly Piece[],
): Promise<Piece[]> {
  const former = divided?.find((piece) => piece.kind === 'run')
  const run = divided
    ? former && (await longestRun(source, part, { packet: former.from, entry: former.entry }))
    : await findRun(source, part, before)
  const seams: Places[] = run
    ? [
        { from: part.from, to: run.places.from },
        { from: run.places.to, to: part.to },
      ]
    : [part]
  const [first, last] = seams.map(({ from, to }): Seam[] =>
    from < to ? [{ kind: 'seam', part: part.index, places: { from, to } }] : [],
  )
  return [...(first ?? []), ...(run ? [run] : []), ...(last ?? [])]
}

async function findRun(
  source: Source,
  part: NumberedPart,
  before: Places | undefined,
): Promise<Run | undefined> {
  let tries = 0
  for (const packet of keysWithin(source, part)) {
    if (tries++ === mostTries) return undefined
    const entry = await source.entryOf(packet)
    if (entry === 'never') continue
    const run = await longestRun(source, part, { packet, entry })
    if (run && canBegin(source, run, part, before)) return run
  }
  return undefined
}

/** Whether there are enough pictures before an open group, and none missing that it counts. */
function canBegin(
  { shown }: Source,
  run: Run,
  part: NumberedPart,
  before: Places | undefined,
): boolean {
  if (run.entry === 'closed') return true
  const { leads, numbers } = run.entry
  const isGone = (packet: number): boolean => (shown.places[packet] ?? -1) < part.from
  if (leads.some(({ packet, isNeeded }) => isNeeded && isGone(packet))) return false
  const missing = missingBefore([run], part)
  // Where numbers do not matter, a film may begin with an open group.
  if (!before) return missing === 0 || !numbers
  // A part that was encoded before to copy fewer pictures than that is not worth it.
  const copied = run.places.to - run.places.from
  return missing <= before.to - before.from && (missing < copied || !numbers)
}

function* keysWithin({ packing, shown }: Source, part: Places): Generator<number> {
  for (let place = part.from; place < part.to; place++) {
    const packet = shown.packets[place] ?? 0
    if (packing.keys[packet] === 1) yield packet
  }
}

async function longestRun(
  { shown, packing, followHidden }: Source,
  { from, to, index, copiedTo = to }: NumberedPart,
  { packet, entry }: Pick<Run, 'entry'> & { packet: number },
): Promise<Run | undefined> {
  const first = shown.places[packet] ?? 0
  const hidden = followHidden?.()
  let [count, last] = [0, first]
  let best: { to: number; end: number } | undefined
  for (let i = packet; i < packing.sizes.length; i++) {
    const place = shown.places[i] ?? -1
    // Pictures that follow the first one and are shown before it may need what came before it.
    const isLeading = place >= 0 && place < first && count === 1
    if (isLeading) {
      best = { to: i + 1, end: first + 1 }
      continue
    }
    if (place < first || place >= copiedTo) break
    count += 1
    last = Math.max(last, place)
    const areHiddenShown = hidden === undefined || (await hidden.areShownAfter(i))
    if (areHiddenShown && last - first + 1 === count) best = { to: i + 1, end: last + 1 }
  }
  if (!best) return undefined
  const places = { from: first, to: best.end }
  const wanted = entry === 'closed' ? 0 : entry.leads.length
  const leads = Math.min(wanted, first - from)
  return { kind: 'run', part: index, from: packet, to: best.to, entry, places, leads }
}
