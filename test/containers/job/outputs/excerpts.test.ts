import { describe, expect, it } from 'vitest'
import { countedVideo, shownNumbers } from '../../../support/containers/films/counted-video.ts'
import { savedOutput, useOutputs } from '../../../support/containers/outputs.ts'
import { ffmpeg, probeStream } from '../../../support/containers/run-tool.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'
import { samplesOf } from '../../../support/containers/sound/samples.ts'

const { made, failed } = useOutputs()

/** Films that become larger than their source are encoded again and again. */
const quick = { compressionQuality: 50 }

const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)

/** By how many samples a sound comes later than it should, within fifty milliseconds. */
function lateBy(part: Float32Array, whole: Float32Array, at: number): number {
  const likeness = (late: number) => {
    let sum = 0
    for (let i = 4_800; i < 24_000; i += 3) sum += (part[i + late] ?? 0) * (whole[at + i] ?? 0)
    return sum
  }
  const lates = Array.from({ length: 4_801 }, (_, i) => i - 2_400)
  return lates.reduce((best, late) => (likeness(late) > likeness(best) ? late : best), 0)
}

describe('an excerpt', () => {
  it('begins with the picture that is shown at its first moment, with its sound', async () => {
    const file = await countedVideo({ seconds: 5, fps: 25 })
    const { receiver, end } = await made([file], {
      outputs: [
        { name: 'middle', startTime: 2.01, duration: 2 },
        { name: 'begin', duration: 1, outputFormat: 'webm', compressionQuality: 50 },
        { name: 'rest', startTime: 3, outputFormat: 'avi' },
        { name: 'sound', startTime: 2.01, duration: 2, outputFormat: 'wav' },
        { name: 'whole', outputFormat: 'wav' },
      ],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      warnings: [],
      named: [
        { duration: 2 },
        { name: 'begin' },
        { name: 'rest' },
        { duration: 2 },
        { name: 'whole' },
      ],
    })
    const middle = await savedOutput(receiver, 'final', 'mp4')
    expect(await shownNumbers(middle)).toEqual(from(50, 50))
    expect(await shownNumbers(await savedOutput(receiver, 'output-begin', 'webm'))).toEqual(
      from(0, 25),
    )
    expect(await shownNumbers(await savedOutput(receiver, 'output-rest', 'avi'))).toEqual(
      from(75, 50),
    )
    const whole = await samplesOf(await savedOutput(receiver, 'output-whole', 'wav'), 48_000)
    const sound = await samplesOf(await savedOutput(receiver, 'output-sound', 'wav'), 48_000)
    expect(sound.length).toBe(96_000)
    const first = Math.round(2.01 * 48_000)
    expect(sound.every((sample, i) => sample === whole[first + i])).toBe(true)
    expect(Math.abs(lateBy(await samplesOf(middle, 48_000), whole, 2 * 48_000))).toBeLessThan(480)
  })

  it('has the sound of clips that are joined without any cut', async () => {
    const one = await countedVideo({ seconds: 4, fps: 25 })
    const other = await countedVideo({ seconds: 4, fps: 25, firstNumber: 1000 })
    const outputs = [{ name: 'across', startTime: 3, duration: 2 }]
    const { receiver, end } = await made([one, other], { ...quick, outputs })
    expect(end).toMatchObject({ named: [{ duration: 2 }] })
    const across = await savedOutput(receiver, 'final', 'mp4')
    expect(await shownNumbers(across)).toEqual([...from(75, 25), ...from(1000, 25)])
    expect((await samplesOf(across, 48_000)).length).toBeGreaterThanOrEqual(96_000)
  })

  it('counts in the film that cuts and joins leave, and warns where that ends sooner', async () => {
    const one = await countedVideo({ seconds: 4, fps: 25 })
    const other = await countedVideo({ seconds: 4, fps: 25, firstNumber: 1000 })
    const { receiver, end } = await made([one, other], {
      ...quick,
      removeSegments: [{ startTime: 1, endTime: 2 }],
      outputs: [
        { name: 'across', startTime: 2, duration: 2 },
        { name: 'end', startTime: 6, duration: 5 },
      ],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      named: [{ duration: 2 }, { duration: 1 }],
      warnings: [
        'outputs (end): duration: the finished video ends at 7 s, so this result lasts 1 s.',
      ],
    })
    const numbers = await shownNumbers(await savedOutput(receiver, 'final', 'mp4'))
    expect(numbers).toEqual([...from(75, 25), ...from(1000, 25)])
  })

  it('has a steady rate if the film has none, captions as they are in the whole, and its own part of a track', async () => {
    const file = await countedVideo({ seconds: 5, fps: 30, isVariable: true })
    const text = 'WEBVTT\n\n00:01.500 --> 00:02.500\nfirst\n\n00:03.000 --> 00:05.000\nsecond\n'
    const { receiver } = await made([file], {
      ...quick,
      captions: { source: { text }, embed: true, burn: false },
      outputs: [{ name: 'part', startTime: 2, duration: 2 }],
    })
    const part = await savedOutput(receiver, 'final', 'mp4')
    const steady = from(60, 60).map((n) => (n % 7 === 3 ? n - 1 : n))
    expect(await shownNumbers(part)).toEqual(steady)
    const vtt = await ffmpeg(['-i', part, '-map', '0:s', '-f', 'webvtt', '-'])
    expect(vtt.replaceAll('\n\n', '\n').trim().split('\n')).toEqual([
      'WEBVTT',
      ...['00:00.000 --> 00:00.500', 'first', '00:01.000 --> 00:02.000', 'second'],
    ])
    expect((await probeStream(part, 's')).codec_name).toBe('mov_text')
  })

  it('has silence where the sound of the film has ended before its picture', async () => {
    const coding = ['-af', 'atrim=end=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
    const { receiver, end } = await made([await makeVideo({ seconds: 3, coding })], {
      outputs: [
        { name: 'whole', outputFormat: 'wav' },
        { name: 'rest', startTime: 2.5, outputFormat: 'wav' },
      ],
    })
    expect(end).toMatchObject({ named: [{ duration: 3 }, { duration: 0.5 }] })
    const rest = await samplesOf(await savedOutput(receiver, 'output-rest', 'wav'), 48_000)
    expect([rest.length, rest.every((sample) => sample === 0)]).toEqual([24_000, true])
  })

  it('fails where the film has ended before', async () => {
    const file = await countedVideo({ seconds: 4, fps: 25 })
    const end = await failed([file], {
      outputs: [{ name: 'part', startTime: 4, outputFormat: 'mp3' }],
    })
    expect(end).toMatchObject({
      type: 'failed',
      reason: 'nothing_left',
      message: 'outputs[0] (part): startTime: the finished video ends at 4 s, before this moment.',
      retryable: false,
    })
  })
})
