import type { TokenPlace } from './recogniser.ts'

/** One row per head: how much attention a token gave to each frame. */
export type TokenAttention = readonly Float32Array[]

/** Wider than the noise of one frame, narrower than a syllable. */
const medianReach = 3

/** The frames of a token: its start, and the frame with the most attention. */
type FramePlace = { readonly start: number; readonly peak: number }

/**
 * Finds when each token is said: the path through tokens and frames that collects the most attention and only moves
 * forward (dynamic time warping).
 */
export function alignTokens(attention: readonly TokenAttention[], frames: number): FramePlace[] {
  if (attention.length === 0 || frames === 0) return []
  const score = scores(attention, frames)
  const starts = walkBack(score, frames)
  return starts.map((start, token) => {
    const row = score[token]?.subarray(start, starts[token + 1] ?? frames)
    return { start, peak: start + (row ? highest(row) : 0) }
  })
}

/** The places of tokens in samples. */
export function placesIn(
  attention: readonly TokenAttention[],
  frames: number,
  samplesPerFrame: number,
): TokenPlace[] {
  return alignTokens(attention, frames).map(({ start, peak }) => ({
    start: start * samplesPerFrame,
    peak: peak * samplesPerFrame,
  }))
}

function highest(row: Float32Array): number {
  return row.reduce((best, value, at) => (value > (row[best] ?? 0) ? at : best), 0)
}

/** The attention averaged over the heads, each relative to what the head gives the frame for other tokens. */
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

const fromBoth = 0
const fromToken = 1
const fromFrame = 2

function walkBack(score: readonly Float32Array[], frames: number): number[] {
  const steps = score.map(() => new Uint8Array(frames))
  let before = new Float32Array(frames + 1).fill(Number.POSITIVE_INFINITY)
  before[0] = 0
  score.forEach((row, token) => {
    const cost = new Float32Array(frames + 1).fill(Number.POSITIVE_INFINITY)
    for (let frame = 1; frame <= frames; frame++) {
      const both = before[frame - 1] ?? 0
      const down = before[frame] ?? 0
      const across = cost[frame - 1] ?? 0
      const least = Math.min(both, down, across)
      const step = least === both ? fromBoth : least === down ? fromToken : fromFrame
      const stepRow = steps[token]
      if (stepRow) stepRow[frame - 1] = step
      cost[frame] = least - (row[frame - 1] ?? 0)
    }
    before = cost
  })
  return starts(steps, frames)
}

function starts(steps: readonly Uint8Array[], frames: number): number[] {
  const first = steps.map(() => 0)
  let token = steps.length - 1
  let frame = frames - 1
  while (token >= 0 && frame >= 0) {
    first[token] = frame
    const step = steps[token]?.[frame] ?? fromBoth
    if (step !== fromFrame) token--
    if (step !== fromToken) frame--
  }
  return first
}
