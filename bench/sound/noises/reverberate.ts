import { rate } from '../mix.ts'

/** These lengths have no common factors, so that no tone rings. */
const combSamples = [1_687, 1_601, 2_053, 2_251, 1_867, 2_423]
const allpassSamples = [241, 83, 487]

/** Schroeder's model of a room: the sound falls by 60 dB in `seconds`, and `share` of it is reflected (0 … 1). */
export function reverberated(
  dry: Float32Array,
  { seconds, share }: { seconds: number; share: number },
): Float32Array {
  let wet: Float32Array = new Float32Array(dry.length)
  for (const length of combSamples)
    addComb(wet, dry, length, 10 ** ((-3 * length) / (seconds * rate)))
  for (const length of allpassSamples) wet = allpass(wet, length)
  return dry.map((value, i) => value * (1 - share) + (wet[i] ?? 0) * share)
}

function addComb(wet: Float32Array, dry: Float32Array, length: number, feedback: number): void {
  const ring = new Float32Array(length)
  let damped = 0
  for (let i = 0; i < dry.length; i++) {
    const out = ring[i % length] ?? 0
    // Air and walls absorb the high tones first.
    damped += (out - damped) * 0.6
    ring[i % length] = (dry[i] ?? 0) + damped * feedback
    wet[i] = (wet[i] ?? 0) + out / combSamples.length
  }
}

function allpass(sound: Float32Array, length: number): Float32Array {
  const ring = new Float32Array(length)
  return sound.map((value, i) => {
    const late = ring[i % length] ?? 0
    const fed = value + 0.7 * late
    ring[i % length] = fed
    return late - 0.7 * fed
  })
}
