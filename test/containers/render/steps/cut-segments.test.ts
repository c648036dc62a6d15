import { describe, expect, it } from 'vitest'
import {
  countedVideo,
  noise,
  shownNumbers,
} from '../../../support/containers/films/counted-video.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { align, samplesOf } from '../../../support/containers/sound/samples.ts'
import { plainImage, plainVideo } from '../../../support/containers/films/element-files.ts'
import { framesOf } from '../../../support/containers/films/frame-pixels.ts'
import { overlay } from '../../../support/containers/films/overlay-elements.ts'
import { campaign } from '../../../support/node/campaign.ts'

const rate = 16_000

/** Compares picture and sound of a result with its source at many places. */
async function drift(source: string, result: string, fps: number) {
  const numbers = await shownNumbers(result)
  const [from, to] = [await samplesOf(source, rate), await samplesOf(result, rate)]
  const lags: number[] = []
  for (let frame = 3; frame < numbers.length - 3; frame += 5) {
    const run = numbers.slice(frame - 2, frame + 4)
    const isWhole = run.every((number, i) => i === 0 || number - (run[i - 1] ?? 0) === 1)
    if (!isWhole) continue
    const at = (time: number): number => Math.round((time / fps) * rate)
    const length = Math.round(rate / fps)
    const found = align(from, at(numbers[frame] ?? 0), to, at(frame), { length, reach: 320 })
    if (found.likeness > 0.8) lags.push(found.lag / rate)
  }
  return { numbers, lags, soundSeconds: to.length / rate }
}

describe('cutSegments', () => {
  it('shows the right picture at every time, and plays its sound', async () => {
    const source = await countedVideo({ seconds: 12, fps: 30 })
    const removeSegments = [
      { startTime: 8, endTime: 9.5 },
      { startTime: 1, endTime: 2 },
      { startTime: 1.5, endTime: 3.01 },
      { startTime: 11, endTime: 400 },
    ]
    const { file, described, plan } = await renderVideo([{ file: source }], { removeSegments })
    const { numbers, lags, soundSeconds } = await drift(source, file, 30)
    const expected = Array.from({ length: 330 }, (_, i) => i).filter(
      (n) => !(n >= 30 && n < 90) && !(n >= 240 && n < 285),
    )
    expect(numbers).toEqual(expected)
    expect(lags.length).toBeGreaterThan(20)
    expect(Math.max(...lags.map(Math.abs))).toBeLessThan(0.002)
    expect(Math.abs(soundSeconds - numbers.length / 30)).toBeLessThan(0.03)
    expect(described).toMatchObject({
      steps: ['cut-segments'],
      cuts: {
        count: 3,
        removedSeconds: 4.5,
        segmentsSeconds: 4.5,
        silenceSeconds: 0,
        list: [
          { source: 0, startTime: 1, endTime: 3, why: 'asked', resultTime: 1 },
          { source: 0, startTime: 8, endTime: 9.5, why: 'asked', resultTime: 6 },
          { source: 0, startTime: 11, endTime: 12, why: 'asked', resultTime: 7.5 },
        ],
      },
    })
    expect(plan.warnings).toEqual([
      'removeSegments[3] was shortened: it ends at 400 s, and the source ends at 12 s.',
    ])
  })

  it('keeps the times of a source with irregular pictures', async () => {
    const source = await countedVideo({ seconds: 10, fps: 30, isVariable: true })
    const removeSegments = [
      { startTime: 1.21, endTime: 2.34 },
      { startTime: 4.02, endTime: 7.77 },
    ]
    const { file, plan } = await renderVideo([{ file: source }], { removeSegments })
    const numbers = await shownNumbers(file)
    const fps = numbers.length / plan.durationSeconds
    const [a, b, c, d] = [1.21, 2.34, 4.02, 7.77].map((time) => Math.round(time * fps) / fps)
    const [firstCut, secondCut] = [(b ?? 0) - (a ?? 0), (d ?? 0) - (c ?? 0)]
    numbers.forEach((number, i) => {
      const time = i / fps + 1e-6
      const afterFirst = time + (time < (a ?? 0) ? 0 : firstCut)
      const mapped = afterFirst + (afterFirst < (c ?? 0) ? 0 : secondCut)
      expect(Math.abs(number / 30 - mapped), `picture ${i}`).toBeLessThan(1.01 / fps)
    })
  })

  it('cuts each file in its own time, and then the joined video in that of the video', async () => {
    const first = await countedVideo({ seconds: 4, fps: 25, sound: noise(4, 1) })
    const second = await countedVideo({ seconds: 4, fps: 25, firstNumber: 1000 })
    const asked = { removeSegments: [{ startTime: 0, endTime: 1 }] }
    const { file } = await renderVideo(
      [
        { file: first, asked },
        { file: second, asked },
      ],
      {
        removeSegments: [{ startTime: 2, endTime: 4 }],
      },
    )
    const ofFirst = Array.from({ length: 50 }, (_, i) => 25 + i)
    const ofSecond = Array.from({ length: 50 }, (_, i) => 1050 + i)
    expect(await shownNumbers(file)).toEqual([...ofFirst, ...ofSecond])
  })

  it('shows what lies on the picture from its very picture on, also at 29.97 pictures a second', async () => {
    const fps = 30_000 / 1001
    const file = await plainImage('#ffffff', '8x32')
    const source = await plainVideo('#000000', 2, { fps: '30000/1001' })
    const pictures = Array.from({ length: 32 }, (_, i) => i + 4)
    const asked = pictures.map((picture, i) => ({
      file,
      position: { x: `${(i * 1000) / 320}%`, y: '0%' },
      timing: { startTime: picture / fps },
    }))
    const removeSegments = [{ startTime: 0.2, endTime: 0.7 }]
    const frames = await framesOf((await overlay(source, asked, { removeSegments })).file)
    const appeared = pictures.map((_, i) =>
      frames.findIndex((frame) => frame.at(i * 10 + 4, 16)[1] > 128),
    )
    expect(appeared).toEqual(pictures)
  })

  it('keeps picture and sound in step over 20 cuts', async () => {
    const source = await countedVideo({ seconds: 10, fps: '30000/1001' })
    const removeSegments = Array.from({ length: 20 }, (_, cut) => ({
      startTime: cut * 0.5 + 0.2,
      endTime: cut * 0.5 + 0.31,
    }))
    const { file, plan } = await renderVideo([{ file: source }], { removeSegments })
    const { numbers, lags, soundSeconds } = await drift(source, file, 30_000 / 1001)
    expect(numbers.length / (30_000 / 1001)).toBeCloseTo(plan.durationSeconds, 3)
    expect(Math.abs(soundSeconds - plan.durationSeconds)).toBeLessThan(1 / 30)
    expect(lags.length).toBeGreaterThan(20)
    expect(Math.max(...lags.map(Math.abs))).toBeLessThan(0.002)
  })

  campaign('stays in step after joining 20 clips of different rates', async () => {
    const rates = [25, 30, 24, '30000/1001', 15]
    const clips = await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        countedVideo({
          seconds: 0.9,
          fps: rates[i % rates.length] ?? 25,
          firstNumber: i * 1000,
          sound: noise(0.9, i + 1),
        }),
      ),
    )
    const sources = clips.map((file) => ({ file }))
    const { file, plan } = await renderVideo(sources, {
      removeSegments: [{ startTime: 0.2, endTime: 0.6 }],
    })
    const numbers = await shownNumbers(file)
    const result = await samplesOf(file, rate)
    const last = clips.at(-1) ?? ''
    const begin = numbers.findIndex((number) => number >= 19_000)
    const resultAt = Math.round((begin / 25 + 0.2) * rate)
    const source = await samplesOf(last, rate)
    const found = align(source, rate / 5, result, resultAt, { length: rate / 4, reach: 1600 })
    expect(found.likeness).toBeGreaterThan(0.8)
    expect(Math.abs(found.lag / rate)).toBeLessThan(1 / 25)
    expect(numbers.length / 25).toBeCloseTo(plan.durationSeconds, 3)
    expect(Math.abs(result.length / rate - plan.durationSeconds)).toBeLessThan(1 / 25)
  })

  campaign('makes 5,000 cuts in one clip', async () => {
    const source = await countedVideo({ seconds: 200, fps: 50, sound: noise(200) })
    const removeSegments = Array.from({ length: 5_000 }, (_, i) => ({
      startTime: i * 0.04 + 0.02,
      endTime: i * 0.04 + 0.04,
    }))
    const { file, plan } = await renderVideo([{ file: source, asked: { removeSegments } }], {})
    const numbers = await shownNumbers(file)
    expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, i) => i * 2))
    const soundSeconds = (await samplesOf(file)).length / rate
    expect(Math.abs(soundSeconds - 100)).toBeLessThan(0.04)
    expect(plan.cuts.count).toBe(5_000)
  })

  it('cuts a video without sound, and warns that it has no silence to remove', async () => {
    const source = await countedVideo({ seconds: 3, fps: 25, sound: null })
    const { file, plan } = await renderVideo([{ file: source }], {
      removeSegments: [{ startTime: 1, endTime: 2 }],
      removeSilence: true,
    })
    expect(await shownNumbers(file)).toHaveLength(50)
    expect(plan).toMatchObject({ audio: 'none', sound: null })
    expect(plan.warnings).toEqual(['removeSilence: the video has no sound.'])
  })

  it('only warns if the removed parts lie beyond the end', async () => {
    const source = await countedVideo({ seconds: 3, fps: 25 })
    const { plan } = await renderVideo([{ file: source }], {
      removeSegments: [{ startTime: 5, endTime: 8 }],
    })
    expect([plan.video, plan.audio, plan.steps, plan.sound]).toEqual(['copy', 'copy', [], null])
    expect(plan.warnings).toEqual([
      expect.stringContaining('removeSegments[0] was left out: it starts at 5 s'),
    ])
  })

  it('refuses to remove everything', async () => {
    const source = await countedVideo({ seconds: 3, fps: 25 })
    const removeSegments = [
      { startTime: 0, endTime: 2 },
      { startTime: 1.5, endTime: 9 },
    ]
    await expect(renderVideo([{ file: source }], { removeSegments })).rejects.toMatchObject({
      reason: 'nothing_left',
      message: 'removeSegments leaves nothing of the video.',
      retryable: false,
    })
  })
})
