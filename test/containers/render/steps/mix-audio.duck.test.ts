import { describe, expect, it } from 'vitest'
import { makeVideo } from '../../../support/node/fixtures.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { leftOf } from '../../../support/containers/sound/samples.ts'
import { amplitudeAt, toneFile } from '../../../support/containers/sound/sound-files.ts'
import {
  decibels,
  powerOf,
  speech,
  spokenBlocks,
  videoWithSound,
} from '../../../support/containers/sound/speech.ts'
import { campaign } from '../../../support/node/campaign.ts'

const rate = 48_000
const hertz = 5_000

/** Two sentences, with silence before, between and after them; the times of the first one. */
async function spoken() {
  const samples = await speech([2, 3, 3])
  const blocks = spokenBlocks(samples)
  const begin = blocks.indexOf(true)
  const end = blocks.findIndex((_, i) => i > begin && !blocks.slice(i, i + 100).includes(true))
  return { samples, first: begin / 100, end: end / 100, video: await videoWithSound(samples) }
}

/** The level of the tone, as a share of what it has alone, around each time. */
async function shares(file: string, times: readonly number[], alone: number): Promise<number[]> {
  const samples = await leftOf(file, rate)
  const windowSeconds = 0.08
  return times.map((at) => amplitudeAt(samples, rate, at, { hertz, windowSeconds }) / alone)
}

describe('a sound that makes way for speech', () => {
  it('is 15 dB below speech from the first word to the last, and back half a second later', async () => {
    const { samples, video, first, end } = await spoken()
    const tone = await toneFile('wav', 14, { hertz, amplitude: 0.2 })
    const elements = [{ type: 'audio', url: 'https://example.com/a.wav', effects: { duck: true } }]
    const { file, plan } = await renderVideo([{ file: video }], { elements }, [tone])
    expect(plan.warnings).toEqual([])
    const during = [first, first + 0.5, first + 1, end - 0.1]
    const [before = 0, after = 0, ...under] = await shares(
      file,
      [first - 0.7, end + 0.5, ...during],
      0.2,
    )
    expect(Math.abs(before - 1)).toBeLessThan(0.1)
    expect(Math.abs(after - 1)).toBeLessThan(0.1)
    const speechDb = decibels(powerOf(samples.subarray(first * rate, end * rate)))
    for (const share of under) {
      const musicDb = decibels((share * 0.2) ** 2 / 2)
      expect(speechDb - musicDb).toBeGreaterThan(15)
    }
  })

  it('is as far below speech that is turned down as a film', async () => {
    const { samples, video, first, end } = await spoken()
    const tone = await toneFile('wav', 14, { hertz, amplitude: 0.2 })
    const elements = [{ type: 'audio', url: 'https://example.com/a.wav', effects: { duck: true } }]
    const audio = { volume: 0.25 }
    const { file } = await renderVideo([{ file: video }], { elements, audio }, [tone])
    const [share = 0] = await shares(file, [first + 0.5], 0.2)
    const heard = samples.subarray(first * rate, end * rate).map((value) => value * audio.volume)
    const musicDb = decibels((share * 0.2) ** 2 / 2)
    expect(decibels(powerOf(heard)) - musicDb).toBeGreaterThan(15)
  })

  campaign('is lowered by the asked amount, after a cut and in a clip on top', async () => {
    const { video, first } = await spoken()
    const tone = await toneFile('wav', 14, { hertz, amplitude: 0.2 })
    const clip = await makeVideo({ seconds: 12, tone: hertz, channels: 1 })
    const elements = [
      { type: 'audio', url: 'https://example.com/a.wav', effects: { duck: { amount: 12 } } },
    ]
    const removeSegments = [{ startTime: 0, endTime: 1 }]
    const cut = await renderVideo([{ file: video }], { elements, removeSegments }, [tone])
    const [before = 0, during = 0] = await shares(cut.file, [first - 1.7, first - 0.3], 0.2)
    expect(20 * Math.log10(during / before)).toBeCloseTo(-12, 0)
    const onTop = [
      {
        type: 'video',
        url: 'https://example.com/a.mp4',
        effects: { volume: 0.5, duck: { amount: 20 } },
      },
    ]
    const { file } = await renderVideo([{ file: video }], { elements: onTop }, [clip])
    const [alone = 0, under = 0] = await shares(file, [first - 0.7, first + 0.5], 1)
    expect(alone).toBeGreaterThan(0.02)
    expect(20 * Math.log10(under / alone)).toBeLessThan(-14)
  })

  it('stays as it is where nobody speaks, with a warning', async () => {
    const tone = await toneFile('wav', 2, { hertz, amplitude: 0.2 })
    const elements = [{ type: 'audio', url: 'https://example.com/a.wav', effects: { duck: true } }]
    const silent = await makeVideo({ seconds: 2, tone: null })
    const { plan } = await renderVideo([{ file: silent }], { elements }, [tone])
    expect(plan.warnings).toEqual([
      'elements[0].effects.duck: the video has no sound, so the sound was not lowered.',
    ])
    const hummed = await makeVideo({ seconds: 2 })
    const unheard = await renderVideo([{ file: hummed }], { elements }, [tone])
    expect(unheard.plan.warnings).toEqual([
      'elements[0].effects.duck: nobody was heard to speak, so the sound was not lowered.',
    ])
    const [share = 0] = await shares(unheard.file, [1], 0.2)
    expect(Math.abs(share - 1)).toBeLessThan(0.1)
  })
})
