import { expect, it } from 'vitest'
import { makeFile } from '../../support/node/fixtures.ts'
import { renderVideo } from '../support/render-video.ts'
import { probe } from '../support/run-tool.ts'
import { samplesOf } from '../support/samples.ts'
import { amplitudeAt } from '../support/sound-files.ts'

const tone = async (hertz: number, layout: string) =>
  makeFile('ac3', [
    '-f',
    'lavfi',
    '-i',
    `sine=${hertz}:d=2:r=48000,aformat=channel_layouts=${layout}`,
  ])

it.each([
  ['stereo', '5.1'],
  ['5.1', 'stereo'],
  ['mono', 'stereo'],
])('keeps a sound in its place that goes from %s to %s', async (before, after) => {
  const parts = [await tone(440, before), await tone(880, after)]
  const sound = await makeFile('ac3', ['-i', `concat:${parts.join('|')}`, '-c', 'copy'])
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25:d=4', '-i', sound]
  const file = await makeFile('mp4', [...picture, '-c:v', 'libx264', '-c:a', 'copy'])
  for (const asked of [
    { normalizeAudio: true },
    { removeSegments: [{ startTime: 0, endTime: 1 }] },
  ]) {
    const result = (await renderVideo([{ file }], asked)).file
    const cut = 'removeSegments' in asked ? 1 : 0
    expect(Number((await probe(result)).format['duration'])).toBeCloseTo(4 - cut, 0)
    const samples = await samplesOf(result)
    const at = (seconds: number, hertz: number) =>
      amplitudeAt(samples, 16_000, seconds - cut, { hertz, windowSeconds: 0.2 })
    expect(at(1.2, 440)).toBeGreaterThan(10 * at(1.2, 880))
    expect(at(2.3, 880)).toBeGreaterThan(10 * at(2.3, 440))
    expect(at(2.3, 880)).toBeGreaterThan(0.01)
  }
})
