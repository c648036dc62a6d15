import { channels } from './pcm.ts'

/** Beyond this the two sounds cancel each other, and compensating for that would amplify noise. */
const leastLikeness = -0.5

/**
 * Fades from one sound into another of the same length at equal power. It allows for sounds that are alike, such as the
 * hum of one room, which plain sine and cosine curves would raise by up to 3 dB.
 */
export function crossfade(ending: Float32Array, beginning: Float32Array): Float32Array {
  const likeness = Math.max(leastLikeness, correlation(ending, beginning))
  const frames = ending.length / channels
  return ending.map((value, i) => {
    const angle = ((Math.floor(i / channels) + 0.5) / frames) * (Math.PI / 2)
    const [falling, rising] = [Math.cos(angle), Math.sin(angle)]
    const power = 1 + 2 * likeness * falling * rising
    return (value * falling + (beginning[i] ?? 0) * rising) / Math.sqrt(power)
  })
}

/** −1 … 1; 0 if one of them is silent. */
function correlation(a: Float32Array, b: Float32Array): number {
  let [product, powerOfA, powerOfB] = [0, 0, 0]
  for (const [i, value] of a.entries()) {
    const other = b[i] ?? 0
    product += value * other
    powerOfA += value ** 2
    powerOfB += other ** 2
  }
  const scale = Math.sqrt(powerOfA * powerOfB)
  return scale > 0 ? product / scale : 0
}

/** Where a sound starts after the beginning of its file, or ends before the end, in frames. */
export type SoundEdge = { readonly at: number; readonly ramp: number; readonly kind: 'in' | 'out' }

/** Fades the samples within the ramp of an edge, in a piece that begins at `from`. */
export function fadeEdge(piece: Float32Array, from: number, { at, ramp, kind }: SoundEdge): void {
  const first = kind === 'in' ? at : at - ramp
  for (let frame = Math.max(first, from); frame < first + ramp; frame++) {
    const share = (frame - first + 0.5) / ramp
    const gain = Math.sin(((kind === 'in' ? share : 1 - share) * Math.PI) / 2)
    for (let channel = 0; channel < channels; channel++) {
      const i = (frame - from) * channels + channel
      if (i < piece.length) piece[i] = (piece[i] ?? 0) * gain
    }
  }
}
