/** Vectors that were joined: the place of one, or two trees. The later they were joined, the more they differ. */
export type Tree = {
  readonly places: readonly number[]
  readonly joinedAs: number
  readonly parts?: readonly [Tree, Tree]
}

/** Joins vectors into ever fewer groups, each time the two groups whose union spreads least (Ward's method), until one is left. */
export function joinNearest(vectors: readonly Float32Array[]): Tree {
  const n = vectors.length
  const distances = distancesOf(vectors)
  const trees = new Map(vectors.map((_, i): [number, Tree] => [i, { places: [i], joinedAs: -1 }]))
  const sizeOf = (i: number): number => trees.get(i)?.places.length ?? 1
  // The nearest other group of each, so that a step looks through one row.
  const nearest = vectors.map((_, i) => nearestOf(i, trees, distances, n))
  while (trees.size > 1) {
    let [a, least] = [-1, Infinity]
    for (const i of trees.keys()) {
      const distance = distances[i * n + (nearest[i] ?? 0)] ?? Infinity
      if (distance < least) [a, least] = [i, distance]
    }
    const b = nearest[a] ?? 0
    const [sa, sb] = [sizeOf(a), sizeOf(b)]
    joinInto(trees, a, b)
    for (const c of trees.keys()) {
      if (c === a) continue
      const sc = sizeOf(c)
      const [ac, bc] = [distances[a * n + c] ?? 0, distances[b * n + c] ?? 0]
      const joined = ((sa + sc) * ac + (sb + sc) * bc - sc * least) / (sa + sb + sc)
      distances[a * n + c] = joined
      distances[c * n + a] = joined
    }
    for (const c of trees.keys()) {
      const stale = c === a || nearest[c] === a || nearest[c] === b
      if (stale) nearest[c] = nearestOf(c, trees, distances, n)
    }
  }
  return [...trees.values()][0] ?? { places: [], joinedAs: -1 }
}

function joinInto(trees: Map<number, Tree>, a: number, b: number): void {
  const [one, other] = [trees.get(a), trees.get(b)]
  if (one && other) {
    trees.set(a, {
      places: [...one.places, ...other.places],
      ...{ joinedAs: -trees.size, parts: [one, other] },
    })
  }
  trees.delete(b)
}

export function squaredDistance(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2
  return sum
}

/** Squared. */
function distancesOf(vectors: readonly Float32Array[]): Float64Array {
  const n = vectors.length
  const distances = new Float64Array(n * n).fill(Infinity)
  for (const [i, a] of vectors.entries()) {
    for (let j = 0; j < i; j++) {
      const distance = squaredDistance(a, vectors[j] ?? a)
      distances[i * n + j] = distance
      distances[j * n + i] = distance
    }
  }
  return distances
}

function nearestOf(
  i: number,
  alive: ReadonlyMap<number, unknown>,
  distances: Float64Array,
  n: number,
): number {
  let [best, least] = [i, Infinity]
  for (const j of alive.keys()) {
    const distance = distances[i * n + j] ?? Infinity
    if (j !== i && distance < least) [best, least] = [j, distance]
  }
  return best
}
