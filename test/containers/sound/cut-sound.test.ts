import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { cutSound, fadeSamples } from '../../../containers/sound/cut-sound.ts'
import type { SampleSpan } from '../../../containers/sound/pcm.ts'
import { aFolder } from '../support/tool-context.ts'

/** Left holds a tone, right the number of the sample. */
async function cut(samples: number, kept: readonly SampleSpan[]) {
  const stereo = Float32Array.from({ length: samples * 2 }, (_, i) =>
    i % 2 === 0 ? 0.8 * Math.sin(i / 40) : i >> 1,
  )
  const file = path.join(await aFolder(), 'sound.f32')
  await writeFile(file, stereo)
  await cutSound(file, kept, new AbortController().signal)
  const bytes = await readFile(file)
  const result = new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  )
  return {
    left: result.filter((_, i) => i % 2 === 0),
    right: result.filter((_, i) => i % 2 === 1),
  }
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
    expect([right[20_000 + fadeSamples], right[99_999]]).toEqual([50_000 + fadeSamples, 129_999])
    expect(right.subarray(20_500, 99_000).every((n, i) => n === 50_500 + i)).toBe(true)
  })

  it('lets no joint click', async () => {
    const kept = Array.from({ length: 40 }, (_, i) => ({
      from: i * 2_500 + 77,
      to: i * 2_500 + 1_801,
    }))
    const { left } = await cut(100_000, kept)
    const steps = left.map((value, i) => Math.abs(value - (left[i - 1] ?? 0)))
    // The steepest step of the tone itself is 0.8 / 20.
    expect(steps.reduce((max, step) => Math.max(max, step), 0)).toBeLessThan(0.045)
  })

  it('fades nothing where nothing was cut', async () => {
    const { right } = await cut(10_000, [{ from: 0, to: 10_000 }])
    expect(right.every((n, i) => n === i)).toBe(true)
  })

  it('plays silence for what lies behind the end', async () => {
    const { right } = await cut(10_000, [{ from: 5_000, to: 15_000 }])
    expect(right).toHaveLength(10_000)
    expect(right.subarray(5_000).every((value) => value === 0)).toBe(true)
  })
})
