import { spread } from '../../../numbers/spread.ts'

/** In how many directions recordings of several people differ most: further ones only show differences in what is said. */
const directions = 25
/** The directions are found in this many prints, from the whole length. */
const mostLooked = 300
const rounds = 12
/** How far each direction is treated as if all varied alike, because neighbours are few. */
const evenShare = 0.35
/** What changes most within sentences may still be another voice. */
const trusted = 0.85

/**
 * Describes prints by the directions in which they differ most, scaled so that a single voice varies alike in all of them. How
 * it varies is learnt from neighbours within sentences. Then two people are three times as far apart as by single values.
 */
export function whitenPrints(
  rows: readonly Float32Array[],
  inSentence: ReadonlySet<number>,
): Float32Array[] {
  const basis = mainDirections(rows)
  const short = rows.map((row) => basis.map((direction) => dot(row, direction)))
  const changes = [...inSentence].map((place) =>
    (short[place] ?? []).map((value, at) => (value - (short[place - 1]?.[at] ?? 0)) * Math.SQRT1_2),
  )
  let factor = factorOf(changes)
  for (let again = 0; again < 2; again++) {
    const sizes = changes.map((change) => {
      const row = evened(change, factor)
      return dot(row, row)
    })
    const most = sizes.toSorted((a, b) => a - b)[Math.floor(trusted * sizes.length)] ?? Infinity
    factor = factorOf(changes.filter((_, i) => (sizes[i] ?? 0) <= most))
  }
  return short.map((row) => Float32Array.from(evened(row, factor)))
}

/** Vectors of length one that span what varies most: the products of prints with each other, multiplied repeatedly. */
function mainDirections(rows: readonly Float32Array[]): Float64Array[] {
  const looked = spread(rows, mostLooked)
  const likeness = looked.map((one) => Float64Array.from(looked, (other) => dot(one, other)))
  const count = Math.min(directions, looked.length)
  // Any start works, as long as it is always the same.
  let shares: Float64Array[] = Array.from({ length: count }, (_, n) =>
    Float64Array.from(looked, (_, i) => Math.cos((n + 1) * (i + 0.5))),
  )
  for (let round = 0; round < rounds; round++) {
    shares = uprights(
      shares.map((share) => Float64Array.from(likeness, (line) => dot(line, share))),
    )
  }
  const size = looked[0]?.length ?? 0
  const sums = shares.map((share) => {
    const sum = new Float64Array(size)
    for (const [i, row] of looked.entries()) {
      const part = share[i] ?? 0
      for (let at = 0; at < size; at++) sum[at] = (sum[at] ?? 0) + part * (row[at] ?? 0)
    }
    return sum
  })
  return uprights(sums)
}

/** Makes vectors upright to each other, and of length one (Gram and Schmidt). */
function uprights(vectors: readonly Float64Array[]): Float64Array[] {
  const done: Float64Array[] = []
  for (const vector of vectors) {
    const rest = Float64Array.from(vector)
    for (const one of done) {
      const along = dot(rest, one)
      for (let at = 0; at < rest.length; at++) rest[at] = (rest[at] ?? 0) - along * (one[at] ?? 0)
    }
    const length = Math.sqrt(dot(rest, rest))
    // Copies of the same recording leave nothing.
    if (length > 1e-6) done.push(Float64Array.from(rest, (value) => value / length))
  }
  return done
}

type Matrix = readonly (readonly number[])[]

/** The lower triangle whose square is how the changes vary together (Cholesky). */
function factorOf(changes: Matrix): number[][] {
  const size = changes[0]?.length ?? 0
  const together = Array.from({ length: size }, (_, i) =>
    Array.from({ length: i + 1 }, (_, j) =>
      changes.reduce((sum, row) => sum + ((row[i] ?? 0) * (row[j] ?? 0)) / changes.length, 0),
    ),
  )
  const mean = together.reduce((sum, row, i) => sum + (row[i] ?? 0) / size, 0)
  const factor: number[][] = []
  for (const [i, row] of together.entries()) {
    const line: number[] = []
    for (const [j, value] of row.entries()) {
      const even = (1 - evenShare) * value + (i === j ? evenShare * mean : 0)
      const rest = even - dot(line, factor[j] ?? line)
      line.push(i === j ? Math.sqrt(Math.max(rest, 1e-12)) : rest / (factor[j]?.[j] ?? 1))
    }
    factor.push(line)
  }
  return factor
}

/** Solves the triangle: what the row would be if a voice varied alike in all directions. */
function evened(row: readonly number[], factor: Matrix): number[] {
  const solved: number[] = []
  for (const [i, line] of factor.entries()) {
    solved.push(((row[i] ?? 0) - dot(solved, line)) / (line[i] ?? 1))
  }
  return solved
}

/** Of what both have. */
function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const length = Math.min(one.length, other.length)
  let sum = 0
  for (let at = 0; at < length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}
