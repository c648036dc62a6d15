import { ffmpegBytes } from '../run-tool.ts'

/** The sound of a file as mono samples, on the file's own clock. */
export async function samplesOf(file: string, rate = 16_000, channel = 'mono') {
  const filter = `aresample=${rate}:async=1:first_pts=0,aformat=sample_fmts=flt:channel_layouts=${channel}`
  return floatsIn(await ffmpegBytes(['-i', file, '-map', '0:a', '-af', filter, '-f', 'f32le', '-']))
}

/** The numbers of a file of raw samples. */
export function floatsIn({ buffer, byteOffset, byteLength }: Buffer): Float32Array {
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}

/** The left channel alone: a mean of both would not be at the level of either. */
export async function leftOf(file: string, rate: number): Promise<Float32Array> {
  const both = await samplesOf(file, rate, 'stereo')
  return Float32Array.from({ length: both.length / 2 }, (_, i) => both[2 * i] ?? 0)
}

type Alignment = { lag: number; likeness: number }

type Comparison = { length: number; reach: number }

/**
 * How far a piece of `result` is from the same sound in `source` (positive: it comes late), and how alike they are,
 * −1 … 1, there.
 */
export function align(
  source: Float32Array,
  sourceAt: number,
  result: Float32Array,
  resultAt: number,
  { length, reach }: Comparison,
): Alignment {
  let best: Alignment = { lag: 0, likeness: -1 }
  for (let lag = -reach; lag <= reach; lag++) {
    const likeness = correlation(source, sourceAt - lag, result, resultAt, length)
    if (likeness > best.likeness) best = { lag, likeness }
  }
  return best
}

function correlation(
  a: Float32Array,
  aAt: number,
  b: Float32Array,
  bAt: number,
  length: number,
): number {
  let product = 0
  let powerA = 0
  let powerB = 0
  for (let i = 0; i < length; i++) {
    const x = a[aAt + i] ?? 0
    const y = b[bAt + i] ?? 0
    product += x * y
    powerA += x * x
    powerB += y * y
  }
  return product / Math.sqrt(powerA * powerB + 1e-20)
}
