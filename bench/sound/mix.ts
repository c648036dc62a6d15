/** The sample rate of everything in this folder; sounds are mono, as the media worker hears one channel. */
export const rate = 48_000

const blockLength = rate / 100
/** A block that is this much quieter than the loudest counts as a pause. */
const pauseDb = 35

export function powerOf(samples: Float32Array): number {
  let sum = 0
  for (const value of samples) sum += value * value
  return sum / Math.max(1, samples.length)
}

/** Mean power while somebody speaks, without the pauses. */
export function spokenPower(voice: Float32Array): number {
  const powers: number[] = []
  for (let at = 0; at + blockLength <= voice.length; at += blockLength)
    powers.push(powerOf(voice.subarray(at, at + blockLength)))
  const least = Math.max(...powers) / 10 ** (pauseDb / 10)
  const spoken = powers.filter((power) => power > 0 && power >= least)
  return spoken.reduce((sum, power) => sum + power, 0) / Math.max(1, spoken.length)
}

/**
 * Mixes a voice with noise that is `ratioDb` quieter than the voice while it speaks; the noise is repeated if it is too
 * short.
 */
export function mixAt(voice: Float32Array, noise: Float32Array, ratioDb: number): Float32Array {
  const level = Math.sqrt(spokenPower(voice) / powerOf(noise) / 10 ** (ratioDb / 10))
  return voice.map((value, i) => value + (noise[i % noise.length] ?? 0) * level)
}
