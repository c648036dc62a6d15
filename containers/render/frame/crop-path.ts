/** Where the middle of a crop may be along one side at one moment, as shares of that side. */
export type Corridor = { readonly seconds: number; readonly from: number; readonly to: number }

/** The middle moves at a constant speed from each knot to the next one. */
export type Knot = { readonly seconds: number; readonly at: number }

/** The place on a path at a moment; before its beginning and after its end, the place there. */
export function placeOn(path: readonly Knot[], seconds: number): number | undefined {
  const next = path.findIndex((knot) => knot.seconds >= seconds)
  const [before, after] = [path.at(next < 0 ? -1 : Math.max(0, next - 1)), path[next]]
  if (!before || !after) return before?.at
  const share = (seconds - before.seconds) / Math.max(1e-6, after.seconds - before.seconds)
  return before.at + Math.min(1, Math.max(0, share)) * (after.at - before.at)
}

/** The crop stands still, or keeps its speed, for at least this long. */
const leastSeconds = 0.8

/** A path is searched in pieces of at most this length, and joined where it continues as before. */
const mostSeconds = 20
/** In pieces that are outside of a corridor, at most this long. */
const mostOutside = 2
/** How far outside of a corridor tells nothing, as a share of the side. */
const tolerance = 0.004
/** To move, or to change its speed, costs as much as being outside by a hundredth of the side at one moment. */
const cost = { outside: 100, movement: 1, turn: 1, way: 0.3, offMiddle: 0.01 }

/**
 * The path of straight pieces that is outside of its corridors the least and, of those, the one with the fewest and shortest
 * movements: one that stands still, if a single place suffices. The first knot is at `start`, the last one at `end`.
 */
export function cropPath(
  corridors: readonly Corridor[],
  { start, end }: { readonly start: number; readonly end: number },
): Knot[] {
  const [first, last] = [corridors[0], corridors.at(-1)]
  if (!first || !last) return []
  const everywhere = placeInAll(corridors)
  if (everywhere !== undefined) return [start, end].map((seconds) => ({ seconds, at: everywhere }))
  const between = corridors.filter(({ seconds }) => seconds > start && seconds < end)
  const moments = [
    movedOn(first, corridors[1], start),
    ...between,
    movedOn(last, corridors.at(-2), end),
  ]
  const grid = gridFor(moments)
  const nodes = moments.map((corridor) => ({ corridor, steps: stepsIn(corridor, grid) }))
  for (const step of nodes[0]?.steps ?? []) step.cost = cost.offMiddle * step.offMiddle
  for (const [i, { steps }] of nodes.entries()) {
    for (const step of steps) if (step.cost < Infinity) goOn(step, nodes, i)
  }
  return knotsTo(nodes.at(-1)?.steps ?? [])
}

/** People who move are assumed to go on for this long before the first look and after the last one. */
const mostOnSeconds = 0.3

/** A corridor at another moment, if the person continues as from its neighbour to it. */
function movedOn({ from, to, ...last }: Corridor, before: Corridor | undefined, seconds: number) {
  const apart = before ? last.seconds - before.seconds : 0
  const on = seconds - last.seconds
  if (!before || apart === 0 || Math.max(Math.abs(apart), Math.abs(on)) > mostOnSeconds) {
    return { from, to, seconds }
  }
  const way = (((from + to - before.from - before.to) / 2) * on) / apart
  const within = Math.min(1 - to, Math.max(-from, way))
  return { from: from + within, to: to + within, seconds }
}

/** The place in all corridors that is nearest to the middle of each. */
function placeInAll(corridors: readonly Corridor[]): number | undefined {
  const from = corridors.reduce((most, corridor) => Math.max(most, corridor.from), 0)
  const to = corridors.reduce((least, corridor) => Math.min(least, corridor.to), 1)
  if (from > to) return undefined
  const middles = corridors.reduce((sum, corridor) => sum + (corridor.from + corridor.to) / 2, 0)
  return Math.min(to, Math.max(from, middles / corridors.length))
}

/** A place at a moment, and the cheapest way that leads to it. */
type PathStep = Knot & { readonly offMiddle: number; cost: number; before: PathStep | undefined }

type PathNode = { readonly corridor: Corridor; readonly steps: readonly PathStep[] }

/** The places of all moments lie on one grid, so that a path that stands still has the same place at each of them. */
function gridFor(moments: readonly Corridor[]): number {
  const widths = moments.map(({ from, to }) => to - from).sort((a, b) => a - b)
  const narrow = widths[Math.floor(widths.length / 4)] ?? 0
  return 2 ** Math.round(Math.log2(Math.min(1 / 64, Math.max(1 / 512, narrow / 6))))
}

/** At most this many places of one corridor are tried. */
const mostPlaces = 9

function stepsIn({ seconds, from, to }: Corridor, grid: number): PathStep[] {
  const middle = (from + to) / 2
  let apart = grid
  while ((to - from) / apart > mostPlaces - 1) apart *= 2
  const count = Math.floor(to / apart + 1e-9) - Math.ceil(from / apart - 1e-9) + 1
  const lowest = Math.ceil(from / apart - 1e-9) * apart
  const places = Array.from({ length: Math.max(0, count) }, (_, i) => lowest + i * apart)
  return (places.length > 0 ? places : [middle]).map((at) => {
    return { seconds, at, offMiddle: Math.abs(at - middle), cost: Infinity, before: undefined }
  })
}

/** Tries the straight pieces from one place, at the index `from`, to those of later moments. */
function goOn(begin: PathStep, nodes: readonly PathNode[], from: number): void {
  const last = nodes.length - 1
  const end = nodes[last]?.corridor.seconds ?? 0
  /** The speeds that stay inside of all corridors so far. */
  let [least, most] = [-Infinity, Infinity]
  let isTried = false
  for (let to = from + 1; to <= last; to++) {
    const node = nodes[to]
    if (!node) return
    const { seconds, ...corridor } = node.corridor
    const passed = Math.max(1e-6, seconds - begin.seconds)
    least = Math.max(least, (corridor.from - tolerance - begin.at) / passed)
    most = Math.min(most, (corridor.to + tolerance - begin.at) / passed)
    const mayBeOutside = !isTried || passed <= mostOutside
    if (isTried && passed > mostSeconds) return
    if (!mayBeOutside && least > most) return
    // The piece after a knot also lasts long enough, except in a scene that is shorter.
    const isKnot = to === last || end - seconds >= leastSeconds
    const isLong = passed >= leastSeconds || (from === 0 && to === last)
    if (!isKnot || !isLong) continue
    isTried = true
    for (const step of node.steps) {
      const speed = (step.at - begin.at) / passed
      const isInside = speed >= least && speed <= most
      if (!isInside && !mayBeOutside) continue
      const outside = isInside ? 0 : outsideOf(begin, speed, nodes, [from + 1, to])
      const way = Math.abs(step.at - begin.at)
      const all =
        begin.cost +
        (begin.before && !isSameSpeed(speedOf(begin.before, begin), speed) ? cost.turn : 0) +
        (way < 1e-9 ? 0 : cost.movement + cost.way * way) +
        cost.outside * outside +
        cost.offMiddle * step.offMiddle * (to - from)
      if (all < step.cost) Object.assign(step, { cost: all, before: begin })
    }
  }
}

/** How far a straight piece is outside of the corridors between two indexes, added up. */
function outsideOf(
  begin: PathStep,
  speed: number,
  nodes: readonly PathNode[],
  [first, last]: readonly [number, number],
): number {
  let sum = 0
  for (let i = first; i <= last; i++) {
    const { seconds, from, to } = nodes[i]?.corridor ?? { seconds: 0, from: 0, to: 1 }
    const place = begin.at + speed * (seconds - begin.seconds)
    sum += Math.max(0, from - place - tolerance, place - to - tolerance)
  }
  return sum
}

/** The way to the cheapest of the last places, without knots at which it continues as before. */
function knotsTo(steps: readonly PathStep[]): Knot[] {
  let step = steps.reduce<PathStep | undefined>(
    (best, one) => (best && best.cost <= one.cost ? best : one),
    undefined,
  )
  const knots: Knot[] = []
  for (; step; step = step.before) {
    const { seconds, at } = step
    const [next, after] = knots
    const isStraight =
      next && after && isSameSpeed(speedOf({ seconds, at }, next), speedOf(next, after))
    if (isStraight) knots.shift()
    knots.unshift({ seconds, at })
  }
  return knots
}

const isSameSpeed = (one: number, other: number): boolean => Math.abs(one - other) < 1e-6

function speedOf(from: Knot, to: Knot): number {
  return (to.at - from.at) / Math.max(1e-6, to.seconds - from.seconds)
}

/**
 * A number that depends on the time of a picture, as an expression of ffmpeg: a binary search through the pieces, because it is
 * computed for every picture. Before all pieces it has the first value.
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
