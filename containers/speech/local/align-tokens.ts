import type { TokenPlace } from './recogniser.ts'

/** One row per head: how much attention a token gave to each frame. */
export type TokenAttention = readonly Float32Array[]

/** Wider than the noise of one frame, narrower than a syllable. */
const medianReach = 3

/** Where a token starts, between two frames too, and the frame with the most attention. */
type FramePlace = { readonly start: number; readonly peak: number }

/**
 * Finds when each token is said. Every path through tokens and frames that only moves forward counts, the more of the attention it
 * collects the more: a token starts where these paths reach it on average. The best path alone would jump by a whole frame when
 * the same speech is heard from another sample on, or with a little noise.
 */
export function alignTokens(attention: readonly TokenAttention[], frames: number): FramePlace[] {
  if (attention.length === 0 || frames === 0) return []
  const score = scores(attention, frames)
  const starts = meanStarts(score, frames)
  return starts.map((start, token) => {
    const from = Math.min(frames - 1, Math.round(start))
    const row = score[token]?.subarray(
      from,
      Math.max(from + 1, Math.round(starts[token + 1] ?? frames)),
    )
    return { start, peak: from + (row ? highest(row) : 0) }
  })
}

/** The places of tokens in samples. `lag`: by how many frames the attention of the model is late. */
export function tokenPlaces(
  attention: readonly TokenAttention[],
  frames: number,
  { samplesPerFrame, lag = 0 }: { readonly samplesPerFrame: number; readonly lag?: number },
): TokenPlace[] {
  return alignTokens(attention, frames).map(({ start, peak }) => ({
    start: Math.max(0, start - lag) * samplesPerFrame,
    peak: peak * samplesPerFrame,
  }))
}

function highest(row: Float32Array): number {
  return row.reduce((best, value, at) => (value > (row[best] ?? 0) ? at : best), 0)
}

/** The attention of all heads together, each relative to what the head gives the frame for other tokens. */
function scores(attention: readonly TokenAttention[], frames: number): Float32Array[] {
  const total = attention.map(() => new Float32Array(frames))
  const heads = attention[0]?.length ?? 0
  for (let head = 0; head < heads; head++) {
    const rows = standardise(
      attention.map((token) => token[head] ?? new Float32Array(frames)),
      frames,
    )
    rows.forEach((row, index) => addMedian(total[index], row))
  }
  return total
}

function standardise(rows: readonly Float32Array[], frames: number): Float32Array[] {
  const result = rows.map(() => new Float32Array(frames))
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    let squares = 0
    for (const row of rows) {
      const value = row[frame] ?? 0
      sum += value
      squares += value * value
    }
    const mean = sum / rows.length
    const deviation = Math.sqrt(Math.max(0, squares / rows.length - mean * mean)) + 1e-6
    result.forEach((row, index) => {
      row[frame] = ((rows[index]?.[frame] ?? 0) - mean) / deviation
    })
  }
  return result
}

function addMedian(total: Float32Array | undefined, row: Float32Array): void {
  if (!total) return
  const around = new Float32Array(2 * medianReach + 1)
  for (let frame = 0; frame < row.length; frame++) {
    for (let offset = -medianReach; offset <= medianReach; offset++) {
      const near = Math.min(row.length - 1, Math.max(0, frame + offset))
      around[offset + medianReach] = row[near] ?? 0
    }
    around.sort()
    total[frame] = (total[frame] ?? 0) + (around[medianReach] ?? 0)
  }
}

/** How much more attention makes a path e times as likely: less would follow the noise, more blurs what is clear. */
const softness = 3

/** The mean over all paths of the frame in which each token is reached. */
function meanStarts(score: readonly Float32Array[], frames: number): number[] {
  const towards = weighPaths(score, frames)
  const onwards = weighPaths(
    score.toReversed().map((row) => row.toReversed()),
    frames,
  ).reverse()
  const whole = towards.at(-1)?.[frames - 1] ?? 0
  return score.map((_, token) => {
    const before = towards[token - 1]
    const after = onwards[token]
    if (!before || !after) return 0
    let [sum, mean] = [0, 0]
    for (let frame = 0; frame < frames; frame++) {
      const reached = logSum(before[frame], before[frame - 1])
      // Both directions end with this cell, so its own attention is in `onwards` alone.
      const share = Math.exp(reached + (after[frames - 1 - frame] ?? -Infinity) - whole)
      sum += share
      mean += share * frame
    }
    return mean / sum
  })
}

/** For each token and frame, the logarithm of the weight of all paths that lead there from the first token and frame. */
function weighPaths(score: readonly Float32Array[], frames: number): Float64Array[] {
  const rows: Float64Array[] = []
  for (const [token, attention] of score.entries()) {
    const row = new Float64Array(frames)
    const before = rows[token - 1]
    for (let frame = 0; frame < frames; frame++) {
      const isFirst = token === 0 && frame === 0
      const from = isFirst ? 0 : logSum(before?.[frame - 1], before?.[frame], row[frame - 1])
      row[frame] = from + (attention[frame] ?? 0) / softness
    }
    rows.push(row)
  }
  return rows
}

function logSum(a = -Infinity, b = -Infinity, c = -Infinity): number {
  const most = Math.max(a, b, c)
  if (most === -Infinity) return most
  return most + Math.log(Math.exp(a - most) + Math.exp(b - most) + Math.exp(c - most))
}
