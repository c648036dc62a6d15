import type { Packing } from '../../ffmpeg/measure-packing.ts'
import type { KeptPart, Piece, Places, Run, Seam, ShownOrder } from '../cut-model.ts'
import type { Entries } from './entry-kinds.ts'

type Packed = Entries & {
  readonly packing: Packing
  readonly shown: ShownOrder
}

/**
 * Divides the kept parts into runs of packets, which are copied, and seams, which are encoded. A run begins where a
 * decoder can begin. It ends where no picture after it in decoding order is shown before one of its own, and where it has
 * shown all of its hidden frames. A transition is a seam.
 */
export async function findPieces(source: Packed, parts: readonly KeptPart[]): Promise<Piece[]> {
  let film: Piece[] = []
  for (const [part, { from, to, made }] of parts.entries()) {
    let at = from
    while (!made) {
      const found = await bestRun(source, film, { part, from: at, to })
      if (!found) break
      const { before, run } = found
      film = [...before, ...seam(part, at, run.places.from), run]
      at = run.places.to
    }
    film.push(...seam(part, at, to))
  }
  return joinSeams(film)
}

/** How many key pictures are tried before the rest is encoded. */
const mostTries = 50

/** The pictures of a part that are still to be divided. */
type Rest = Places & { readonly part: number }

/** A run, and the film before it, of which more may have to be encoded for the run. */
type FoundRun = { readonly before: Piece[]; readonly run: Run }

/** The run that leaves the fewest pictures to encode; undefined if all must be. */
async function bestRun(source: Packed, film: Piece[], rest: Rest): Promise<FoundRun | undefined> {
  let best: (FoundRun & { gain: number }) | undefined
  let tries = 0
  for (const packet of keysWithin(source, rest)) {
    const most = rest.to - (source.shown.places[packet] ?? 0)
    if (most <= (best?.gain ?? 0) || tries++ === mostTries) break
    const entry = await source.entryOf(packet)
    const run = entry === 'never' ? undefined : await runFrom(source, rest, { packet, entry })
    const before = run && (await leadInto(source, film, rest, run))
    if (!before) continue
    const cost = countCopied(film) - countCopied(before)
    const gain = countCopied([run]) - cost
    if (gain > (best?.gain ?? 0)) best = { before, run, gain }
    if (cost === 0) break
  }
  return best
}

function* keysWithin({ packing, shown }: Packed, { from, to }: Places): Generator<number> {
  for (let place = from; place < to; place++) {
    const packet = shown.packets[place] ?? 0
    if (packing.keys[packet] === 1) yield packet
  }
}

function countCopied(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { kind, places: { from, to } }) => {
    return kind === 'run' ? sum + to - from : sum
  }, 0)
}

/** The film before a run, with as many encoded pictures at its end as the run needs; undefined if it has fewer. */
async function leadInto(
  { shown, ...source }: Packed,
  film: Piece[],
  rest: Rest,
  { entry, places, leading }: Run,
): Promise<Piece[] | undefined> {
  if (entry === 'closed') return film
  const isGone = (packet: number): boolean => (shown.places[packet] ?? -1) < rest.from
  const references = [...(entry.numbers?.leading ?? [])].filter(
    ([, { nalRefIdc }]) => nalRefIdc > 0,
  )
  if (references.some(([packet]) => isGone(packet))) return undefined
  // Where numbers do not matter, a film may begin with an open group.
  if (film.length === 0 && !entry.numbers) return film
  return endEncoded({ shown, ...source }, film, entry.before - (places.from - leading - rest.from))
}

/** The same film with at least this many of its last pictures encoded; undefined if it is shorter. */
async function endEncoded(
  source: Packed,
  film: Piece[],
  count: number,
): Promise<Piece[] | undefined> {
  const kept = [...film]
  const end: Piece[] = []
  let encoded = 0
  while (encoded < count) {
    const last = kept.pop()
    if (!last) return undefined
    const { part, places } = last
    let { from } = places
    if (last.kind === 'run') {
      const to = places.to - (count - encoded)
      const shorter = await longestRun(source, { packet: last.from, to })
      if (shorter) kept.push({ ...last, ...shorter })
      from = shorter?.places.to ?? from
    }
    end.unshift(...seam(part, from, places.to))
    encoded += places.to - from
  }
  return [...kept, ...end]
}

function seam(part: number, from: number, to: number): Seam[] {
  return from < to ? [{ kind: 'seam', part, places: { from, to } }] : []
}

/** Joins consecutive seams of one part. */
function joinSeams(film: readonly Piece[]): Piece[] {
  const joined: Piece[] = []
  for (const piece of film) {
    const last = joined.at(-1)
    const follows = piece.kind === 'seam' && last?.kind === 'seam' && last.part === piece.part
    if (follows) joined.splice(-1, 1, ...seam(piece.part, last.places.from, piece.places.to))
    else joined.push(piece)
  }
  return joined
}

async function runFrom(
  source: Packed,
  { part, from, to }: Rest,
  { packet, entry }: Pick<Run, 'entry'> & { packet: number },
): Promise<Run | undefined> {
  const run = await longestRun(source, { packet, to })
  if (!run) return undefined
  const wanted = entry === 'closed' ? 0 : (entry.numbers?.leading.size ?? 0)
  const leading = Math.min(wanted, run.places.from - from)
  return { kind: 'run', part, from: packet, entry, leading, ...run }
}

/** Where the longest run ends that begins with this packet and shows nothing from place `to` on. */
async function longestRun(
  { shown, packing, followHidden }: Packed,
  { packet, to }: { readonly packet: number; readonly to: number },
): Promise<Pick<Run, 'to' | 'places'> | undefined> {
  const first = shown.places[packet] ?? 0
  const hidden = followHidden?.()
  let [count, last] = [0, first]
  let best: Pick<Run, 'to' | 'places'> | undefined
  for (let i = packet; i < packing.sizes.length; i++) {
    const place = shown.places[i] ?? -1
    // Pictures stored after the first one and shown before it may need what came before it.
    const isLeading = place >= 0 && place < first && count === 1
    if (isLeading) {
      best = { to: i + 1, places: { from: first, to: first + 1 } }
      continue
    }
    if (place < first || place >= to) break
    count += 1
    last = Math.max(last, place)
    const frames = (await hidden?.follow(i)) ?? 'shown'
    if (frames === 'lost') break
    if (frames === 'shown' && last - first + 1 === count) {
      best = { to: i + 1, places: { from: first, to: last + 1 } }
    }
  }
  return best
}
