import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { renderStream } from '../../../../containers/job/outputs/stream-output.ts'
import type { Output } from '../../../../worker/contract/options/outputs/outputs.ts'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { cutHere } from '../../../support/containers/films/job-here.ts'
import { samplesOf } from '../../../support/containers/sound/samples.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const mono = "aevalsrc='0.2*sin(2*PI*440*t)':s=48000:d=3"
/** Silent on its left. */
const right = "aevalsrc='0|0.4*sin(2*PI*880*t)':s=48000:d=3"
const music = [{ type: 'audio', url: 'https://example.com/music.wav' }]

/** The peak of a sine with the power of one side. */
function peakOf(samples: Float32Array, side: 0 | 1): number {
  const own = samples.filter((_, i) => i % 2 === side)
  return Math.sqrt((2 * own.reduce((sum, value) => sum + value ** 2, 0)) / own.length)
}

it.each([
  { of: 'a film of one channel', options: {}, peaks: [0.2, 0.2] },
  { of: 'the same without pauses to cut', options: { removeSilence: true }, peaks: [0.2, 0.2] },
  { of: 'a part of it', options: {}, part: { startTime: 1, duration: 1 }, peaks: [0.2, 0.2] },
  { of: 'it under music', options: { elements: music }, peaks: [0.2, Math.hypot(0.2, 0.4)] },
])('keeps the level of both sides of $of in a stream', async ({ options, part, peaks }) => {
  const tools = await aToolContext()
  await copyFile(
    await makeFile('wav', ['-f', 'lavfi', '-i', right]),
    path.join(tools.folder, 'music'),
  )
  const output: Output = { name: 'stream', outputFormat: 'hls', heights: [144], ...part }
  const cut = await cutHere(tools, {
    sources: [{ file: await countedVideo({ seconds: 3, fps: 25, sound: mono }) }],
    options: { ...options, outputs: [output] },
    files: { elements: ['music'], beside: new Map() },
  })
  await renderStream(cut, output, 0)
  const heard = await samplesOf(path.join(tools.folder, 'stream0-audio.mp4'), 16_000, 'stereo')
  const inside = heard.slice(heard.length / 4, (heard.length / 4) * 3)
  expect(peakOf(inside, 0)).toBeCloseTo(peaks[0] ?? 0, 1.5)
  expect(peakOf(inside, 1)).toBeCloseTo(peaks[1] ?? 0, 1.5)
})
