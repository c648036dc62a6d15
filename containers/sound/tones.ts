import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fourier } from './fourier.ts'
import type { SampleSpan } from './pcm.ts'
import { speechRate } from './speech-sound.ts'

/** A quarter of a second: a tone of music stands still for longer, a syllable does not. */
const frameSamples = 4_096
export const toneHop = frameSamples / 2
/** Where tunes are; below it engines hum, too. */
const [lowest, highest] = [150, 5_000].map((hertz) =>
  Math.round((hertz * frameSamples) / speechRate),
) as [number, number]
/** A tone is this much over what is near it: noise may be that once, hardly ever twice in one place. */
const overNear = 8
const near = 24
const nearStep = 8
/** Half a second with the frame itself: of a crowd, no voice holds a tone for so long. */
export const framesBefore = 2
/** A tone is this many bins wide on either side. */
const width = 2

const fourier = new Fourier(frameSamples)
const window = Float64Array.from(
  { length: frameSamples },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / frameSamples),
)

/** Reads samples of the speech sound. */
export type ReadSpeech = (span: SampleSpan) => Promise<Float32Array>

/** How much of the power is in tones that stand still, 0 … 1, for every `toneHop` samples of a stretch of the speech sound. */
export async function tonesIn(read: ReadSpeech, { from, to }: SampleSpan): Promise<number[]> {
  const shares: number[] = []
  const before: Uint8Array[] = []
  for (let at = from; at + frameSamples <= to; at += toneHop) {
    const powers = powersOf(await read({ from: at, to: at + frameSamples }))
    const peaks = peaksOf(powers)
    if (before.length === framesBefore) shares.push(shareOf(powers, peaks, before))
    before.push(peaks)
    if (before.length > framesBefore) before.shift()
    await nextTurn()
  }
  return shares
}

function powersOf(samples: Float32Array): Float64Array {
  const real = Float64Array.from(samples, (value, i) => value * (window[i] ?? 0))
  const imaginary = new Float64Array(frameSamples)
  fourier.forward(real, imaginary)
  return Float64Array.from(
    { length: highest + near },
    (_, bin) => (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2,
  )
}

function peaksOf(powers: Float64Array): Uint8Array {
  const peaks = new Uint8Array(powers.length)
  let least = 0
  for (let bin = lowest; bin < highest; bin++) {
    if ((bin - lowest) % nearStep === 0) {
      const around = powers.slice(bin - near, bin + nearStep + near).sort()
      least = overNear * (around[around.length >> 1] ?? 0)
    }
    const power = powers[bin] ?? 0
    const isHighest = power >= (powers[bin - 1] ?? 0) && power >= (powers[bin + 1] ?? 0)
    if (isHighest && power > least) peaks[bin] = 1
  }
  return peaks
}

/** Of tones that are where there was one in each of the frames before. */
function shareOf(powers: Float64Array, peaks: Uint8Array, before: readonly Uint8Array[]): number {
  const wasAt = (bin: number): boolean =>
    before.every((tones) => tones[bin - 1] === 1 || tones[bin] === 1 || tones[bin + 1] === 1)
  let [all, still] = [0, 0]
  for (let bin = lowest; bin < highest; bin++) {
    all += powers[bin] ?? 0
    if (peaks[bin] !== 1 || !wasAt(bin)) continue
    for (let k = bin - width; k <= bin + width; k++) still += powers[k] ?? 0
  }
  return all > 0 ? Math.min(1, still / all) : 0
}
