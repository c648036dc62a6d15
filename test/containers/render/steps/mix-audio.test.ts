import { describe, expect, it } from 'vitest'
import { fadeLevel, type Easing } from '../../../../containers/render/elements/fade.ts'
import { campaign, campaignAfter } from '../../../support/node/campaign.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'
import { ebur128 } from '../../../support/containers/sound/ebur128.ts'
import { plainImage, plainVideo } from '../../../support/containers/films/element-files.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { packetHashes, probe } from '../../../support/containers/run-tool.ts'
import { leftOf, samplesOf } from '../../../support/containers/sound/samples.ts'
import { amplitudeAt, toneFile } from '../../../support/containers/sound/sound-files.ts'
import { powerOf, rate, speech, videoWithSound } from '../../../support/containers/sound/speech.ts'

type Asked = { file: string; [key: string]: unknown }

/** The video with these sounds in it. */
async function mix(source: string, sounds: readonly Asked[], options = {}) {
  const elements = sounds.map(({ file, ...rest }) => ({
    type: 'audio',
    url: `https://a.example/${file.split('/').at(-1)}`,
    ...rest,
  }))
  const files = sounds.map(({ file }) => file)
  return renderVideo([{ file: source }], { elements, ...options }, files)
}

/** Levels of the tone of 1 kHz at these times, of the whole being 1. */
async function levels(
  file: string,
  times: readonly number[],
  whole = 0.2,
  hertz = 1_000,
): Promise<number[]> {
  const samples = await leftOf(file, rate)
  return times.map((at) => amplitudeAt(samples, rate, at, { hertz }) / whole)
}

const quiet = { amplitude: 0.2 }

/** How much louder the sound of one video is inside that of another. */
async function gainDb(source: string, result: string): Promise<number> {
  const [before, after] = [await samplesOf(source, rate), await leftOf(result, rate)]
  const shared = before.reduce((sum, value, i) => sum + value * (after[i] ?? 0), 0)
  return 20 * Math.log10(shared / before.length / powerOf(before))
}

async function expectEasing(easing: Easing): Promise<void> {
  const fadeIn = { duration: 1, easing }
  const fadeOut = { duration: 1.5, easing }
  const sound = { file: await toneFile('wav', 3, quiet), timing: { startTime: 0.5 } }
  const { file } = await mix(await plainVideo('#000000', 4), [
    { ...sound, effects: { fadeIn, fadeOut } },
  ])
  const inside = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.25, 1.6, 1.9, 2.25, 2.5, 2.75, 2.9]
  const measured = await levels(
    file,
    inside.map((at) => at + 0.5),
  )
  const fades = { seconds: 3, fadeIn, fadeOut }
  for (const [i, at] of inside.entries()) {
    expect(Math.abs((measured[i] ?? 0) - fadeLevel(fades, at)), `${easing} at ${at}`).toBeLessThan(
      0.01,
    )
  }
}

describe('mixAudio', () => {
  it.each([
    ['copied', {}],
    ['encoded', { flip: 'horizontal' }],
  ])('mixes to the end of a film whose few pictures are %s', async (_, options) => {
    const source = await makeVideo({ seconds: 6, fps: 1, tone: 300, sampleRate: 48_000 })
    const { file } = await mix(source, [{ file: await toneFile('mp3', 8, quiet) }], options)
    expect(await levels(file, [0.5, 3, 5.8])).toEqual(
      Array.from({ length: 3 }, () => expect.closeTo(1, 1) as number),
    )
  })

  it('gives a silent video a sound track and copies its picture', async () => {
    const source = await plainVideo('#204060', 2)
    const { file, described } = await mix(source, [{ file: await toneFile('mp3', 5, quiet) }])
    expect(described).toMatchObject({ video: 'copy', audio: 'encode' })
    expect(described.steps).toEqual(['mix-audio', 'limit-sound'])
    expect(await packetHashes(file, '0:v')).toEqual(await packetHashes(source, '0:v'))
    const { streams, format } = await probe(file)
    expect(streams.map((stream) => stream['codec_name'])).toEqual(['h264', 'aac'])
    expect(Number(format['duration'])).toBeCloseTo(2, 1)
    for (const level of await levels(file, [0.1, 1, 1.9])) expect(level).toBeCloseTo(1, 1)
  })

  it('is heard from its start to its end only', async () => {
    const file = await toneFile('wav', 3, { ...quiet, sampleRate: 22_050 })
    const timing = { startTime: 0.5, endTime: 1.25 }
    const result = await mix(await plainVideo('#000000', 2), [{ file, timing }])
    const [before, first, last, after] = await levels(result.file, [0.46, 0.54, 1.21, 1.29])
    expect([before, after].every((level) => Number(level) < 0.02)).toBe(true)
    expect([first, last].every((level) => Number(level) > 0.97)).toBe(true)
  })

  campaign(
    'leaves out a sound that starts after the end of the video, with a warning, and copies the rest',
    async () => {
      const file = await toneFile('wav', 1)
      const late = { file, timing: { startTime: 2 } }
      const { plan } = await mix(await makeVideo({ seconds: 2 }), [late])
      expect(plan).toMatchObject({ video: 'copy', audio: 'copy', steps: [] })
      expect(plan.warnings).toEqual([
        expect.stringMatching(/^elements\[0\] was left out: it starts at 2 s/),
      ])
    },
  )

  for (const [i, easing] of (['ease-in-out', 'ease-in'] as const).entries()) {
    it(`fades in and out along the curve ${easing}`, { tags: campaignAfter(1, i) }, async () =>
      expectEasing(easing),
    )
  }

  it('ends with the last sample of its file, or is repeated without a gap until its end time', async () => {
    const short = { file: await toneFile('mp3', 0.7, quiet), timing: { endTime: 3 } }
    const video = await plainVideo('#000000', 4)
    const once = await levels((await mix(video, [short])).file, [0.65, 0.75, 2])
    expect(once.map((level) => level > 0.9)).toEqual([true, false, false])
    const times = Array.from({ length: 140 }, (_, i) => 0.05 + i * 0.02)
    const looped = await mix(video, [{ ...short, loop: true }])
    for (const level of await levels(looped.file, times)) expect(level).toBeGreaterThan(0.9)
    const [after = 1] = await levels(looped.file, [3.1])
    expect(after).toBeLessThan(0.02)
  })

  campaign('repeats a long sound by reading it again', async () => {
    const file = await toneFile('mp3', 11, quiet)
    const result = await mix(await plainVideo('#000000', 24), [{ file, loop: true }])
    const times = [0.1, 10.97, 10.99, 11, 11.01, 11.03, 21.98, 22, 22.02, 23.9]
    for (const level of await levels(result.file, times)) expect(level).toBeGreaterThan(0.9)
    expect(Number((await probe(result.file)).format['duration'])).toBeCloseTo(24, 1)
  })

  it('keeps the level of speech when music is mixed under it', async () => {
    const spoken = await speech([0.3, 0.3, 0.3])
    // As loud as it can be: a limiter would be heard here first.
    const loudest = spoken.reduce((max, value) => Math.max(max, Math.abs(value)), 0)
    const source = await videoWithSound(spoken.map((value) => (value * 0.98) / loudest))
    const music = await toneFile('mp3', 10, { hertz: 440, amplitude: 0.3, channels: 1 })
    const { file } = await mix(source, [{ file: music, effects: { volume: 0.2 }, loop: true }])
    expect(Math.abs(await gainDb(source, file))).toBeLessThan(0.1)
    expect(
      (await levels(file, [0.1, 0.2], 0.06, 440)).map((level) => Math.abs(level - 1) < 0.05),
    ).toEqual([true, true])
  })

  campaign('never clips, not even with several sounds at volume 10', async () => {
    const loud = await toneFile('wav', 3, { hertz: 300, amplitude: 0.9 })
    const other = await toneFile('mp3', 3, { hertz: 5_000, amplitude: 0.9, channels: 1 })
    const effects = { volume: 10 }
    const { file, plan } = await mix(await makeVideo({ seconds: 3 }), [
      { file: loud, effects },
      { file: other, effects, timing: { startTime: 1 } },
    ])
    const peak = (await leftOf(file, rate)).reduce(
      (max, value) => Math.max(max, Math.abs(value)),
      0,
    )
    expect(peak).toBeLessThan(1)
    expect((await ebur128(file)).truePeak).toBeLessThan(0)
    expect(plan.warnings).toEqual([])
  })

  campaign('mixes overlapping sounds at their own volumes', async () => {
    const low = { file: await toneFile('wav', 3, { hertz: 500, amplitude: 0.1 }) }
    const high = { file: await toneFile('wav', 3, { hertz: 2_000, amplitude: 0.1 }) }
    const { file } = await mix(await plainVideo('#000000', 3), [
      { ...low, effects: { volume: 2 } },
      { ...high, effects: { volume: 0.5 }, timing: { startTime: 1 } },
    ])
    const samples = await leftOf(file, rate)
    const heard = [0.5, 2].map((at) =>
      [500, 2_000].map((hertz) => amplitudeAt(samples, rate, at, { hertz })),
    )
    expect(heard[0]?.[0]).toBeCloseTo(0.2, 2)
    expect(heard[0]?.[1]).toBeCloseTo(0, 2)
    expect(heard[1]?.[0]).toBeCloseTo(0.2, 2)
    expect(heard[1]?.[1]).toBeCloseTo(0.05, 2)
  })

  campaign('places a sound in the time of the finished video, along with overlays', async () => {
    const source = await makeVideo({ seconds: 4, tone: null })
    const sound = { file: await toneFile('wav', 3, quiet), timing: { startTime: 1 } }
    const image = { type: 'image', file: await plainImage('#ff0000', '16x16') }
    const { file, described } = await mix(source, [sound, image], {
      removeSegments: [{ startTime: 0, endTime: 2 }],
    })
    expect(described.steps).toEqual([
      ...['cut-segments', 'place-overlay', 'mix-audio', 'limit-sound'],
    ])
    const [before, after] = await levels(file, [0.9, 1.1])
    expect([Number(before) < 0.02, Number(after) > 0.97]).toEqual([true, true])
    expect(Number((await probe(file)).format['duration'])).toBeCloseTo(2, 1)
  })
})
