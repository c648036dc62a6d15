import { expect, it } from 'vitest'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { samplesOf } from '../../../support/containers/sound/samples.ts'

/** In all six channels, so that what reaches each side is more than twice as loud as each of them. */
const everywhere =
  "aevalsrc='0.6*sin(2765*t)':s=48000:d=3,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0"

it.each([
  { what: 'faded', options: { audio: { fadeIn: { duration: 0.1 } } } },
  { what: 'played faster', options: { speed: 1.5 } },
  { what: 'cut', options: { removeSegments: [{ startTime: 1, endTime: 2 }] } },
])('keeps six channels that are $what from being too loud for two', async ({ options }) => {
  const file = await countedVideo({ seconds: 3, fps: 25, sound: everywhere })
  const { file: result } = await renderVideo([{ file }], options)
  const samples = await samplesOf(result, 48_000, 'stereo')
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  expect(peak).toBeGreaterThan(0.8)
  expect(peak).toBeLessThan(1)
})
