import { copyFile, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import { recordSpeechSound } from '../../../containers/insight/record-speech-sound.ts'
import { speechRate } from '../../../containers/sound/speech-sound.ts'
import type { SpeechFormat } from '../../../containers/speech/speech-provider.ts'
import { openClip } from '../../../containers/render/frame/open-clip.ts'
import { prepareSound } from '../../support/containers/sound/prepare-sound.ts'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { planHearing } from '../../../containers/insight/carry/plan-hearing.ts'
import { cutTimeline } from '../../../containers/timeline/cut-list.ts'
import { soundHearing } from '../../support/containers/sound/local-voices.ts'
import { ffmpeg, probe } from '../../support/containers/run-tool.ts'
import { floatsIn, samplesOf } from '../../support/containers/sound/samples.ts'
import { joined, rate, silence, videoWithSound } from '../../support/containers/sound/speech.ts'
import { aFolder, aToolContext } from '../../support/containers/tool-context.ts'
import { campaign } from '../../support/node/campaign.ts'

/** Makes a tone of a tenth of a second at each of these times. */
function beeps(seconds: number, at: readonly number[]): Float32Array<ArrayBuffer> {
  const sound = silence(seconds)
  for (const start of at) {
    for (let i = 0; i < rate / 10; i++) {
      sound[Math.round(start * rate) + i] = 0.5 * Math.sin((2 * Math.PI * 800 * i) / rate)
    }
  }
  return joined([sound])
}

/** The times at which a sound begins. */
function onsets(samples: Float32Array, perSecond: number): number[] {
  const found: number[] = []
  let last = Number.NEGATIVE_INFINITY
  samples.forEach((value, i) => {
    if (Math.abs(value) < 0.1) return
    if (i - last > perSecond / 4) found.push(i / perSecond)
    last = i
  })
  return found
}

async function record(
  files: string[],
  asked: Record<string, unknown>,
  format: SpeechFormat = 'mp3',
) {
  const tools = await aToolContext()
  const clips = await Promise.all(
    files.map(async (file, i) => {
      await copyFile(file, path.join(tools.folder, `in${i}`))
      const request = { path: `in${i}`, field: 'fileUrl', maxSeconds: 100 }
      return openClip(`in${i}`, await measureMedia(tools, request), {})
    }),
  )
  const options = optionsSchema.parse(asked)
  const cut = cutTimeline(clips, options)
  const sound = await prepareSound(tools, {
    ...{ clips, ...cut },
    options,
    ...soundHearing,
    isTranscribed: true,
  })
  const sources = { clips, ...cut, removed: sound?.removed ?? cut.removed, sound }
  const heard = planHearing(sources, false)
  const audio = await recordSpeechSound(tools, sources, { heard, format })
  if (!audio) throw new Error('Nothing recorded')
  const beginnings =
    format === 'mp3'
      ? onsets(await samplesOf(audio.path, rate), rate)
      : onsets(floatsIn(await readFile(audio.path)), speechRate)
  return { audio, beginnings }
}

function expectNear(found: readonly number[], expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length)
  found.forEach((at, i) => expect(Math.abs(at - (expected[i] ?? 0))).toBeLessThan(0.02))
}

describe('recordSpeechSound', () => {
  it('is a 16 kHz mono MP3 or its samples, in time with the video to 20 ms', async () => {
    const video = await videoWithSound(beeps(4, [0.5, 2, 3.5]))
    const { audio, beginnings } = await record([video], {})
    const [stream] = (await probe(audio.path)).streams
    expect(stream).toMatchObject({ codec_name: 'mp3', sample_rate: '16000', channels: 1 })
    expectNear(beginnings, [0.5, 2, 3.5])
    const samples = await record([video], {}, 'f32le')
    expectNear(samples.beginnings, [0.5, 2, 3.5])
  })

  campaign('is in time for a sound that begins later than its picture', async () => {
    const video = await videoWithSound(beeps(3, [0.5, 2]))
    const late = path.join(await aFolder(), 'late.mp4')
    await ffmpeg([
      ...['-i', video, '-itsoffset', '0.75', '-i', video],
      ...['-map', '0:v', '-map', '1:a', '-c', 'copy', late],
    ])
    expectNear((await record([late], {})).beginnings, [1.25, 2.75])
  })

  it('is the raw sound, whatever is cut or cleaned, and joins combined clips', async () => {
    const video = await videoWithSound(beeps(4, [0.5, 2, 3.5]))
    const removeSegments = [{ startTime: 1, endTime: 3 }]
    const changed = { removeSegments, removeNoise: true, normalizeAudio: true }
    expectNear((await record([video], changed)).beginnings, [0.5, 2, 3.5])
    expectNear((await record([video], changed, 'f32le')).beginnings, [0.5, 2, 3.5])
    const both = await record([video, video], { combine: true })
    expectNear(both.beginnings, [0.5, 2, 3.5, 4.5, 6, 7.5])
  })

  campaign('is identical to the byte whether or not an option prepares the sound', async () => {
    const video = await videoWithSound(beeps(3, [0.5, 2]))
    const [plain, prepared] = [
      await record([video], {}),
      await record([video], { removeNoise: true }),
    ]
    const [one, other] = [await readFile(plain.audio.path), await readFile(prepared.audio.path)]
    expect(one.equals(other)).toBe(true)
  })

  it('leaves out a long removed part, except for three seconds at either end', async () => {
    const video = await videoWithSound(beeps(24, [0.5, 3.5, 10, 15, 22.5]))
    const removeSegments = [{ startTime: 3, endTime: 20 }]
    const { audio, beginnings } = await record([video], { removeSegments })
    expect(audio.durationSeconds).toBeCloseTo(6 + 1.2 + 7)
    // The speech from 17 s on follows the first six seconds and the silence.
    expectNear(beginnings, [0.5, 3.5, 7.2 + 5.5])
  })
})
