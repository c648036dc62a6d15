import { describe, expect, it } from 'vitest'
import { BlockMeter } from '../../../../containers/sound/level/block-meter.ts'
import { keepBlocks } from '../../../../containers/sound/pauses/keep-blocks.ts'
import { integratedLoudness, noLoudness } from '../../../../containers/sound/level/loudness.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { ebur128 } from '../../../support/containers/sound/ebur128.ts'
import { samplesOf } from '../../../support/containers/sound/samples.ts'

const rate = 48_000
const changing = "volume='0.02+0.3*abs(sin(t*0.7))':eval=frame"

function blocksOf(stereo: Float32Array, chunk = 10_007 * 2) {
  const meter = new BlockMeter()
  for (let at = 0; at < stereo.length; at += chunk) meter.push(stereo.subarray(at, at + chunk))
  return meter.finish()
}

const loudnessOf = async (blocks: ReturnType<typeof blocksOf>): Promise<number> =>
  integratedLoudness(blocks.loudness.subarray(0, blocks.count))

describe('integratedLoudness', () => {
  it('agrees with ffmpeg’s meter to a tenth of a decibel', async () => {
    const source = ['-f', 'lavfi', '-i', `anoisesrc=d=20:c=pink:r=${rate}:seed=2,${changing}`]
    const file = await makeFile('wav', [...source, '-ac', '2', '-c:a', 'pcm_f32le'])
    const { loudness } = await ebur128(file)
    const blocks = blocksOf(await samplesOf(file, rate, 'stereo'))
    expect(Math.abs((await loudnessOf(blocks)) - loudness)).toBeLessThan(0.1)
  })

  it('knows the loudness of what remains after cuts without hearing it again', async () => {
    const source = ['-f', 'lavfi', '-i', `anoisesrc=d=20:c=pink:r=${rate}:seed=2,${changing}`]
    const file = await makeFile('wav', [...source, '-ac', '2', '-c:a', 'pcm_f32le'])
    const samples = await samplesOf(file, rate, 'stereo')
    const kept = [
      { from: 1_601, to: 100_003 },
      { from: 250_777, to: 511_111 },
      { from: 600_000, to: 900_001 },
    ]
    const cut = kept.flatMap(({ from, to }) => [...samples.subarray(from * 2, to * 2)])
    const heard = await loudnessOf(blocksOf(Float32Array.from(cut)))
    const reckoned = await loudnessOf(await keepBlocks(blocksOf(samples), kept))
    expect(Math.abs(reckoned - heard)).toBeLessThan(0.05)
  })

  it('calls silence no loudness at all', async () => {
    expect(await integratedLoudness(new Float32Array(500))).toBe(noLoudness)
    expect(await integratedLoudness(new Float32Array(0))).toBe(noLoudness)
  })
})

it('BlockMeter measures the same in whatever pieces the sound comes', () => {
  const samples = Float32Array.from({ length: 48_002 }, (_, i) => Math.sin(i * i * 1e-5))
  expect(blocksOf(samples, 2)).toEqual(blocksOf(samples, 48_002))
})
