import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { decodeAudio, evenLevel } from '../../../../containers/speech/local/decode-audio.ts'
import { speechRate } from '../../../../containers/sound/speech-sound.ts'
import { floatsIn } from '../../../support/containers/sound/samples.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

/** A hum that swells, with a voice of this loudness in every other four seconds. */
function talk(seconds: number, loudnessAt: (second: number) => number): Float32Array {
  return Float32Array.from({ length: seconds * speechRate }, (_, i) => {
    const at = i / speechRate
    const syllable = Math.max(0, Math.sin(9 * at)) * Math.sin(1_100 * at + 3 * Math.sin(70 * at))
    return loudnessAt(at) * (Math.floor(at / 4) % 2) * syllable + 0.001 * Math.sin(i * i * 0.37)
  })
}

async function fileOf(samples: Float32Array) {
  const tools = await aToolContext()
  const file = path.join(tools.folder, 'sound.f32')
  await writeFile(file, samples)
  return { tools, file }
}

async function evened(samples: Float32Array): Promise<Float32Array> {
  const { tools, file } = await fileOf(samples)
  await evenLevel(file, tools.signal)
  return floatsIn(await readFile(file))
}

const peakOf = (samples: Float32Array) =>
  samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
const secondsOf = (samples: Float32Array, from: number, to: number) =>
  samples.subarray(from * speechRate, to * speechRate)

describe('evenLevel', () => {
  it('makes a quiet voice as loud as others, up to ten times, and raises no pause above its voice', async () => {
    const samples = await evened(talk(48, (at) => (at < 16 ? 0.6 : at < 32 ? 0.1 : 0.01)))
    expect(peakOf(secondsOf(samples, 5, 7))).toBeCloseTo(0.7, 1)
    expect(peakOf(secondsOf(samples, 21, 23))).toBeCloseTo(0.7, 1)
    expect(peakOf(secondsOf(samples, 37, 39))).toBeCloseTo(0.11, 2)
    expect(peakOf(secondsOf(samples, 10, 10.5))).toBeLessThan(0.02)
  })

  it('leaves silence, an empty sound and one that is too loud as they are to be', async () => {
    expect(await evened(new Float32Array(0))).toHaveLength(0)
    expect(peakOf(await evened(new Float32Array(100_000)))).toBe(0)
    expect(await evened(Float32Array.of(1.4))).toEqual(Float32Array.of(0.7))
  })
})

it('decodeAudio makes the same samples of the same speech to the bit, wherever the sound begins and ends', async () => {
  const whole = talk(80, (at) => 0.05 + 0.5 * Math.sin(at / 7) ** 2)
  const decoded = async (samples: Float32Array) => {
    const { tools, file } = await fileOf(samples)
    const audio = { path: file, format: 'f32le', durationSeconds: 80 } as const
    return floatsIn(await readFile(await decodeAudio(audio, tools)))
  }
  const [first, last] = [12_345, 1_100_001]
  const [all, part] = [await decoded(whole), await decoded(whole.slice(first, last))]
  expect(all).toHaveLength(whole.length)
  // Near the ends of the part, what was cut away is missing.
  const near = 3 * speechRate
  const inner = part.subarray(near, -near)
  const same = all.subarray(first + near, last - near)
  expect(inner.length).toBeGreaterThan(900_000)
  expect(Buffer.from(inner).equals(Buffer.from(same))).toBe(true)
  expect(inner.every((value, i) => value === same[i])).toBe(true)
})
