import { makeFile } from '../../node/fixtures.ts'

type Tone = { hertz?: number; channels?: number; amplitude?: number; sampleRate?: number }

/** A steady sine, exactly this long. */
export async function toneFile(
  extension: 'mp3' | 'wav',
  seconds: number,
  { hertz = 1_000, channels = 2, amplitude = 0.5, sampleRate = 44_100 }: Tone = {},
): Promise<string> {
  const wave = `${amplitude}*sin(2*PI*${hertz}*t)`
  const all = Array.from({ length: channels }, () => wave).join('|')
  const sound = `aevalsrc=exprs='${all}':s=${sampleRate}:d=${seconds}`
  const coding = extension === 'mp3' ? ['-b:a', '192k'] : []
  return makeFile(extension, ['-f', 'lavfi', '-i', sound, ...coding])
}

/** How strong one frequency is, as the amplitude of a sine, around a time. */
export function amplitudeAt(
  samples: Float32Array,
  rate: number,
  seconds: number,
  { hertz = 1_000, windowSeconds = 0.02 } = {},
): number {
  const length = Math.round(windowSeconds * rate)
  const from = Math.round(seconds * rate - length / 2)
  let real = 0
  let imaginary = 0
  for (let i = 0; i < length; i++) {
    const angle = (2 * Math.PI * hertz * (from + i)) / rate
    real += (samples[from + i] ?? 0) * Math.cos(angle)
    imaginary += (samples[from + i] ?? 0) * Math.sin(angle)
  }
  return (2 * Math.hypot(real, imaginary)) / length
}
