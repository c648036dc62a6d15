/** Where the middle of a crop may be along one side at one moment, as shares of that side. */
export type Corridor = { readonly seconds: number; readonly from: number; readonly to: number }

/** The middle moves evenly from each knot to the next one. */
export type Knot = { readonly seconds: number; readonly at: number }

/** It stays where it is, or keeps its speed, for at least this long. */
const leastSeconds = 0.8

/**
 * A path through corridors of few straight pieces: still if one place does for all of them, else as still as they allow.
 * The first knot is at `start`, the last one at `end`.
 */
export function cropPath(
  corridors: readonly Corridor[],
  { start, end }: { readonly start: number; readonly end: number },
): Knot[] {
  const [first] = corridors
  if (!first) return []
  const knots: Knot[] = [{ seconds: start, at: firstPlace(corridors, first) }]
  let next = 0
  while (next < corridors.length) {
    const from = lastOf(knots)
    const piece = straightPiece(from, corridors.slice(next), end)
    next += piece.count
    const isLast = next >= corridors.length
    const until = isLast ? end : (corridors[next - 1]?.seconds ?? end)
    if (until > from.seconds) {
      knots.push({ seconds: until, at: from.at + piece.slope * (until - from.seconds) })
    }
  }
  return knots
}

function lastOf(knots: readonly Knot[]): Knot {
  const last = knots.at(-1)
  if (!last) throw new Error('A path without a beginning')
  return last
}

/**
 * The middle of what all corridors from the first one on have in common, as far as they have something in common; of the
 * first one alone, if the path has to move at once.
 */
function firstPlace(corridors: readonly Corridor[], first: Corridor): number {
  let [from, to] = [-Infinity, Infinity]
  let middles = 0
  let count = 0
  for (const corridor of corridors) {
    if (Math.max(from, corridor.from) > Math.min(to, corridor.to)) {
      if (corridor.seconds - first.seconds < leastSeconds) return (first.from + first.to) / 2
      break
    }
    from = Math.max(from, corridor.from)
    to = Math.min(to, corridor.to)
    middles += (corridor.from + corridor.to) / 2
    count += 1
  }
  return Math.min(to, Math.max(from, middles / count))
}

type Piece = { readonly slope: number; readonly count: number }

/**
 * The longest straight piece from a knot through the next corridors: still if it can be, else in the middle of what leads
 * through them.
 */
function straightPiece(from: Knot, corridors: readonly Corridor[], end: number): Piece {
  let [least, most] = [-Infinity, Infinity]
  let count = 0
  let reached = 0
  for (const corridor of corridors) {
    const passed = corridor.seconds - from.seconds
    if (passed > 1e-6) {
      const low = Math.max(least, (corridor.from - from.at) / passed)
      const high = Math.min(most, (corridor.to - from.at) / passed)
      const mayTurn = reached >= leastSeconds && end - from.seconds - reached >= leastSeconds
      if (low > high && mayTurn) break
      // Too early to turn, or too late: it passes as near as it can.
      if (low > high) least = most = low > most ? most : least
      else [least, most] = [low, high]
    }
    count += 1
    reached = passed
  }
  const isStill = least <= 0 && most >= 0
  return { slope: isStill ? 0 : (least + most) / 2, count }
}

/**
 * A number by the time of a picture, as an expression of ffmpeg: from piece to piece by halves, because it is computed for
 * every picture. It is the first value before all pieces.
 */
export function expressionOf(knots: readonly Knot[]): string {
  const [first, ...others] = knots
  if (!first) return '0'
  if (others.length === 0) return number(first.at)
  const middle = Math.floor(others.length / 2)
  if (middle > 0) {
    const turn = others[middle - 1]
    const [early, late] = [knots.slice(0, middle + 1), knots.slice(middle)]
    return `if(lt(t,${(turn?.seconds ?? 0).toFixed(4)}),${expressionOf(early)},${expressionOf(late)})`
  }
  const [next] = others
  const slope = ((next?.at ?? 0) - first.at) / ((next?.seconds ?? 0) - first.seconds)
  if (!Number.isFinite(slope) || Math.abs(slope) < 1e-6) return number(first.at)
  return `${number(first.at)}+${slope.toFixed(4)}*(t-${first.seconds.toFixed(4)})`
}

const number = (value: number): string => value.toFixed(2)
