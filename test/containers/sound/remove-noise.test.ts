import { describe, expect, it } from 'vitest'
import { NoiseListener } from '../../../containers/sound/noise-profile.ts'
import { NoiseReducer } from '../../../containers/sound/reduce-noise.ts'
import { hopSamples } from '../../../containers/sound/spectrum.ts'
import { renderVideo } from '../support/render-video.ts'
import { align, samplesOf } from '../support/samples.ts'
import {
  decibels,
  powerOf,
  rate,
  silence,
  joined,
  speech,
  spokenBlocks,
  videoWithSound,
  withNoise,
} from '../support/speech.ts'

const pauses = [1, 1.5, 1]

function reduced(mono: Float32Array): Float32Array {
  const padded = joined([mono, silence(0.1)])
  const stereo = Float32Array.from({ length: padded.length * 2 }, (_, i) => padded[i >> 1] ?? 0)
  const listener = new NoiseListener([])
  listener.push(stereo.subarray(0, mono.length * 2))
  const left: number[] = []
  const reducer = new NoiseReducer(listener.finish())
  reducer.push(stereo, (samples) => samples.forEach((value, i) => i % 2 === 0 && left.push(value)))
  return Float32Array.from(left.slice(hopSamples, hopSamples + mono.length))
}

/** Mean power of what lies at least 0.2 s from any word. */
function pauseFloor(clean: Float32Array, sound: Float32Array): number {
  const isSpoken = spokenBlocks(clean)
  const isPause = isSpoken.map(
    (_, i) => !isSpoken.slice(Math.max(0, i - 20), i + 20).includes(true),
  )
  return decibels(powerOf(sound.filter((_, i) => isPause[Math.floor(i / 480)])))
}

/** Scale-invariant signal-to-distortion ratio in dB. */
function fidelity(clean: Float32Array, sound: Float32Array): number {
  const product = clean.reduce((sum, value, i) => sum + value * (sound[i] ?? 0), 0)
  const scale = product / clean.length / powerOf(clean)
  const error = clean.map((value, i) => (sound[i] ?? 0) - scale * value)
  return decibels(scale ** 2 * powerOf(clean)) - decibels(powerOf(error))
}

async function gains(color: 'white' | 'pink', ratioDb: number) {
  const clean = await speech(pauses)
  const noisy = await withNoise(clean, color, ratioDb)
  const result = reduced(noisy)
  return {
    floor: pauseFloor(clean, noisy) - pauseFloor(clean, result),
    fidelity: fidelity(clean, result) - fidelity(clean, noisy),
  }
}

describe('removeNoise', () => {
  it('lowers white noise in pauses by more than 12 dB, and brings speech nearer to clean', async () => {
    for (const ratioDb of [5, 10, 15]) {
      const gain = await gains('white', ratioDb)
      expect(gain.floor, `${ratioDb} dB`).toBeGreaterThan(15)
      expect(gain.fidelity, `${ratioDb} dB`).toBeGreaterThan(5)
    }
  })

  it('does the same to pink noise', async () => {
    for (const ratioDb of [5, 10, 15]) {
      const gain = await gains('pink', ratioDb)
      expect(gain.floor, `${ratioDb} dB`).toBeGreaterThan(15)
      expect(gain.fidelity, `${ratioDb} dB`).toBeGreaterThan(3)
    }
  })

  it('leaves clean speech as it is', async () => {
    const clean = await speech(pauses)
    expect(fidelity(clean, reduced(clean))).toBeGreaterThan(25)
  })

  it('cleans the sound of a video in its place, and copies the picture', async () => {
    const clean = await speech(pauses)
    const noisy = await withNoise(clean, 'pink', 10)
    const source = await videoWithSound(noisy)
    const { file, plan, described } = await renderVideo([{ file: source }], { removeNoise: true })
    const result = await samplesOf(file, rate)
    expect([plan.video, plan.audio, described.sound?.hasNoiseRemoved]).toEqual([
      'copy',
      'encode',
      true,
    ])
    expect(pauseFloor(clean, noisy) - pauseFloor(clean, result)).toBeGreaterThan(12)
    const at = Math.round(1.5 * rate)
    expect(Math.abs(align(clean, at, result, at, { length: rate, reach: 50 }).lag)).toBeLessThan(5)
  })

  it('learns the noise of each clip of a combined video anew', async () => {
    const clean = await speech([1, 1])
    const white = await withNoise(clean, 'white', 10)
    const clips = [{ file: await videoWithSound(clean) }, { file: await videoWithSound(white) }]
    const { file } = await renderVideo(clips, { removeNoise: true })
    const result = await samplesOf(file, rate)
    const second = result.subarray(result.length - clean.length)
    expect(pauseFloor(clean, white) - pauseFloor(clean, second)).toBeGreaterThan(12)
  })
})
