import { meanOf, medianOf } from '../../../numbers/mean.ts'

/**
 * Fewer neighbours within sentences tell too little about how much a voice changes: then their frames tell it. With more
 * neighbours, the frames count as this number of them.
 */
export const leastNeighbours = 6
/** Short or disturbed prints are farther from all others. None counts as farther from the middle than this, by the median. */
const mostLength = 1.3

/** Centres the prints, and scales each of their values by how much it changes in the same voice. */
export function inVoiceUnits(
  rows: readonly Float32Array[],
  inSentence: ReadonlySet<number>,
): Float32Array[] {
  const size = rows[0]?.length ?? 0
  const scaled = rows.map(() => new Float32Array(size))
  const changes = changesIn(rows, inSentence)
  for (let at = 0; at < size; at++) {
    const mean = meanAt(rows, at)
    const scale = 1 / ((changes[at] ?? 0) + 1e-6)
    for (const [i, row] of rows.entries()) {
      const into = scaled[i]
      if (into) into[at] = ((row[at] ?? 0) - mean) * scale
    }
  }
  return scaled
}

/**
 * How much each value changes in one voice. A median of a few neighbours is too small for some values, which would split one
 * voice. Frames tell how much the means change relative to each other, and the deviations relative to each other.
 */
function changesIn(rows: readonly Float32Array[], inSentence: ReadonlySet<number>): number[] {
  const { length = 0 } = rows[0] ?? []
  const frames = Array.from({ length }, (_, at) => changeInFrames(rows, at))
  const { size } = inSentence
  if (size < leastNeighbours) return frames
  const told = frames.map((_, at) => changeInSentences(rows, at, inSentence))
  return [told.slice(0, length / 2), told.slice(length / 2)].flatMap((half, i) => {
    const guessed = frames.slice((i * length) / 2)
    const more = meanOf(half.map((one, at) => one / ((guessed[at] ?? 0) + 1e-6)))
    return half.map((one, at) => {
      const guess = more * (guessed[at] ?? 0)
      return Math.sqrt((size * one ** 2 + leastNeighbours * guess ** 2) / (size + leastNeighbours))
    })
  })
}

/**
 * How much a value changes within sentences: that is due to what is said, in the same voice. The median leaves out places where
 * the voice changes nevertheless.
 */
function changeInSentences(
  rows: readonly Float32Array[],
  at: number,
  inSentence: ReadonlySet<number>,
): number {
  /** The median of a squared normal value is 0.455 of its mean; a difference has twice the variance. */
  const ofMedian = 0.455 * 2
  const changes = Float32Array.from(
    inSentence,
    (place) => ((rows[place]?.[at] ?? 0) - (rows[place - 1]?.[at] ?? 0)) ** 2,
  )
  return Math.sqrt(medianOf(changes) / ofMedian)
}

/** How much it changes within prints, for which a few sentences are enough. */
function changeInFrames(rows: readonly Float32Array[], at: number): number {
  const half = (rows[0]?.length ?? 0) / 2
  return meanAt(rows, at < half ? at + half : at)
}

function meanAt(rows: readonly Float32Array[], at: number): number {
  let mean = 0
  for (const row of rows) mean += (row[at] ?? 0) / rows.length
  return mean
}

export function noneFarOff(
  rows: readonly Float32Array[],
  chosen: readonly number[],
): Float32Array[] {
  const lengths = rows.map(lengthOf)
  const most = mostLength * medianOf(chosen.map((place) => lengths[place] ?? 0))
  return rows.map((row, i) => {
    const scale = Math.min(1, most / ((lengths[i] ?? 0) + 1e-9))
    return row.map((value) => value * scale)
  })
}

export function ofLengthOne(row: Float32Array): Float32Array {
  const scale = 1 / (lengthOf(row) + 1e-9)
  return row.map((value) => value * scale)
}

function lengthOf(row: Float32Array): number {
  let sum = 0
  for (const value of row) sum += value * value
  return Math.sqrt(sum)
}
