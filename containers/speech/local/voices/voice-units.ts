import { medianOf } from '../../../numbers/mean.ts'

type Rows = readonly Float32Array[]

/** Fewer neighbours inside sentences tell too little of how much a voice changes; their frames tell it then. */
export const leastNeighbours = 6
/** Short or disturbed prints are farther from all others. None counts as farther from the middle than this, by the median. */
const mostLength = 1.3

/** Centres the prints, and scales each of their values by how much it changes in the same voice. */
export function inVoiceUnits(rows: Rows, inSentence: ReadonlySet<number>): Float32Array[] {
  const size = rows[0]?.length ?? 0
  const scaled = rows.map(() => new Float32Array(size))
  const changeOf = inSentence.size < leastNeighbours ? changeInFrames : changeInSentences
  for (let at = 0; at < size; at++) {
    const mean = meanAt(rows, at)
    const scale = 1 / (changeOf(rows, at, inSentence) + 1e-6)
    for (const [i, row] of rows.entries()) {
      const into = scaled[i]
      if (into) into[at] = ((row[at] ?? 0) - mean) * scale
    }
  }
  return scaled
}

/**
 * How much a value changes inside sentences: that is what is said, in the same voice. The median leaves out where the voices change
 * all the same.
 */
function changeInSentences(rows: Rows, at: number, inSentence: ReadonlySet<number>): number {
  /** The median of a squared normal value is 0.455 of its mean; a difference has twice the variance. */
  const ofMedian = 0.455 * 2
  const changes = Float32Array.from(
    inSentence,
    (place) => ((rows[place]?.[at] ?? 0) - (rows[place - 1]?.[at] ?? 0)) ** 2,
  )
  return Math.sqrt((changes.sort()[changes.length >> 1] ?? 0) / ofMedian)
}

/** How much it changes within prints, which a few sentences tell too. */
function changeInFrames(rows: Rows, at: number): number {
  const half = (rows[0]?.length ?? 0) / 2
  return meanAt(rows, at < half ? at + half : at)
}

function meanAt(rows: Rows, at: number): number {
  let mean = 0
  for (const row of rows) mean += (row[at] ?? 0) / rows.length
  return mean
}

export function noneFarOff(rows: Rows, chosen: readonly number[]): Float32Array[] {
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
