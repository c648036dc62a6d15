import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileArgs } from '../../../../containers/graph/compile-args.ts'
import { inputFile, streamOf } from '../../../../containers/graph/filter-graph.ts'
import { runFfmpeg } from '../../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { limitPeaks, loudnessCeilingDb } from '../../../../containers/sound/level/limit-peaks.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { ebur128 } from '../../../support/containers/sound/ebur128.ts'
import { align, samplesOf } from '../../../support/containers/sound/samples.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'

/** A quarter of the sampling rate, between the samples: its samples are 3 dB under its peaks. */
const betweenSamples = "aevalsrc='A*sin(PI*n/2+PI/4)':s=48000:d=2"

async function limited(source: string) {
  const tools = await aToolContext()
  const file = await makeFile('wav', ['-f', 'lavfi', '-i', source, '-ac', '2', '-c:a', 'pcm_f32le'])
  const stream = limitPeaks(streamOf(inputFile(file, 'wav'), 'audio', 0), loudnessCeilingDb)
  const command = compileArgs({
    tracks: [{ stream, coding: ['-c:a', 'pcm_f32le'] }],
    muxing: ['-f', 'wav'],
    path: 'out.wav',
    threads: 1,
    maxPixels: 1,
  })
  await runFfmpeg(tools, command, () => undefined)
  return { file, result: path.join(tools.folder, 'out.wav') }
}

describe('limitPeaks', () => {
  it('limits peaks that lie between the samples', async () => {
    const { result } = await limited(betweenSamples.replace('A', '0.7'))
    expect((await ebur128(result)).truePeak).toBeLessThanOrEqual(loudnessCeilingDb + 0.2)
  })

  it('does not change or shift sound below the ceiling', async () => {
    const { file, result } = await limited('anoisesrc=d=2:r=48000:a=0.3:seed=1,lowpass=f=8000')
    const [before, after] = [await samplesOf(file, 48_000), await samplesOf(result, 48_000)]
    expect(after.length).toBe(before.length)
    const found = align(before, 20_000, after, 20_000, { length: 20_000, reach: 20 })
    expect(found.lag).toBe(0)
    expect(found.likeness).toBeGreaterThan(0.9999)
    expect((await ebur128(result)).loudness).toBeCloseTo((await ebur128(file)).loudness, 1)
  })
})
