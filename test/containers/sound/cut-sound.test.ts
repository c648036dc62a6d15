import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cutSound, halfJoint, type SoundPiece } from '../../../containers/sound/cut-sound.ts'
import type { SampleSpan } from '../../../containers/sound/dsp/pcm.ts'
import { floatsIn } from '../../support/containers/sound/samples.ts'
import { aFolder } from '../../support/containers/tool-context.ts'

/** Left holds a tone, right the number of the sample. */
async function cut(samples: number, kept: readonly SampleSpan[]) {
  const stereo = Float32Array.from({ length: samples * 2 }, (_, i) =>
    i % 2 === 0 ? 0.8 * Math.sin(i / 40) : i >> 1,
  )
  const result = await cutSamples(stereo, kept)
  return {
    left: result.filter((_, i) => i % 2 === 0),
    right: result.filter((_, i) => i % 2 === 1),
  }
}

/** Interleaved stereo, before and after. */
async function cutSamples(stereo: Float32Array, kept: readonly SoundPiece[]) {
  const file = path.join(await aFolder(), 'sound.f32')
  await writeFile(file, stereo)
  await cutSound(file, kept, new AbortController().signal)
  return floatsIn(await readFile(file))
}

/** Of interleaved stereo, 5 ms on either side of a sample. */
function powerAround(stereo: Float32Array, at: number): number {
  return meanOf(Array.from(stereo.subarray(2 * (at - 240), 2 * (at + 240)), (value) => value ** 2))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

describe('cutSound', () => {
  it('leaves exactly the kept samples, in a file that shrinks in place', async () => {
    const kept = [
      { from: 0, to: 20_000 },
      { from: 50_000, to: 130_000 },
    ]
    const { right } = await cut(130_000, kept)
    expect(right).toHaveLength(100_000)
    expect(right[10_000]).toBe(10_000)
    expect(right.subarray(0, 20_000 - halfJoint).every((n, i) => n === i)).toBe(true)
    const second = right.subarray(20_000 + halfJoint)
    expect(second.every((n, i) => n === 50_000 + halfJoint + i)).toBe(true)
  })

  it('lets two parts sound together for the length of a transition, at equal power', async () => {
    // Different frequencies in both halves, so that the power of each can be told in their sum.
    const tone = (i: number) => Math.sin(i / (i < 100_000 ? 10 : 23))
    const stereo = Float32Array.from({ length: 400_000 }, (_, i) => tone(i >> 1))
    const overlap = 24_000
    const result = await cutSamples(stereo, [
      { from: 0, to: 90_000 },
      { from: 110_000, to: 200_000, overlap },
    ])
    expect(result).toHaveLength(2 * (180_000 - overlap))
    const begins = 90_000 - overlap
    for (const share of [0.25, 0.5, 0.75]) {
      const at = begins + share * overlap
      const [falling, rising] = [Math.cos, Math.sin].map((curve) => curve((share * Math.PI) / 2))
      const i = 2 * at
      const wanted = tone(at) * (falling ?? 0) + tone(110_000 + at - begins) * (rising ?? 0)
      expect(result[i]).toBeCloseTo(wanted, 1)
      expect(powerAround(result, at)).toBeCloseTo(0.5, 1)
    }
    // Both go on to the very sample where only one of them is heard.
    expect(result[2 * (begins - 1)]).toBeCloseTo(tone(begins - 1), 5)
    expect(result[2 * 90_000]).toBeCloseTo(tone(110_000 + overlap), 5)
  })

  it('crosses from one part to the next within 15 ms', async () => {
    const stereo = Float32Array.from({ length: 200_000 }, (_, i) => (i < 100_000 ? 0 : 1))
    const result = await cutSamples(stereo, [
      { from: 0, to: 20_000 },
      { from: 60_000, to: 90_000 },
    ])
    expect(2 * halfJoint).toBe(720)
    const around = result.subarray(2 * (20_000 - halfJoint), 2 * (20_000 + halfJoint))
    expect(around[0]).toBeLessThan(0.02)
    expect(around.at(-1)).toBeGreaterThan(0.98)
    expect(around.every((value, i) => i < 2 || value >= (around[i - 2] ?? 0))).toBe(true)
  })

  it('plays no sample that was cut out', async () => {
    const stereo = Float32Array.from({ length: 200_000 }, (_, i) =>
      i >= 40_000 && i < 100_000 ? 1 : 0,
    )
    const result = await cutSamples(stereo, [
      { from: 0, to: 20_000 },
      { from: 50_000, to: 90_000 },
    ])
    expect(result).toHaveLength(120_000)
    expect(result.every((value) => value === 0)).toBe(true)
  })

  it('keeps noise and hum of a room at the same level through a joint', async () => {
    let seed = 1
    const random = (): number => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647 - 0.5
    const sounds = {
      noise: Float32Array.from({ length: 960_000 }, random),
      hum: Float32Array.from({ length: 960_000 }, (_, i) => Math.sin(i / 90) + 0.2 * random()),
    }
    // Joints at which the hum goes on as it was, and at which it does not.
    const kept = Array.from({ length: 40 }, (_, i) => ({
      from: i * 11_310,
      to: i * 11_310 + 4_000,
    }))
    for (const sound of Object.values(sounds)) {
      const result = await cutSamples(sound, kept)
      const at = (seconds: (joint: number) => number): number =>
        meanOf(kept.slice(1).map((_, i) => powerAround(result, seconds((i + 1) * 4_000))))
      const change = 10 * Math.log10(at((joint) => joint) / at((joint) => joint + 2_000))
      expect(Math.abs(change)).toBeLessThan(1)
    }
  })

  it('makes joints that do not click', async () => {
    const kept = Array.from({ length: 40 }, (_, i) => ({
      from: i * 2_500 + 77,
      to: i * 2_500 + 1_801,
    }))
    const { left } = await cut(100_000, kept)
    const steps = left.map((value, i) => Math.abs(value - (left[i - 1] ?? 0)))
    // The steepest step of the tone itself is 0.8 / 20.
    expect(steps.reduce((max, step) => Math.max(max, step), 0)).toBeLessThan(0.045)
  })

  it('fades nothing if nothing was cut', async () => {
    const { right } = await cut(10_000, [{ from: 0, to: 10_000 }])
    expect(right.every((n, i) => n === i)).toBe(true)
  })

  it('plays silence beyond the end', async () => {
    const { right } = await cut(10_000, [{ from: 5_000, to: 15_000 }])
    expect(right).toHaveLength(10_000)
    expect(right.subarray(5_000).every((value) => value === 0)).toBe(true)
  })
})
