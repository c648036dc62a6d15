import { stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { countedVideo, shownNumbers } from '../../../support/containers/films/counted-video.ts'
import { startHearingWorker } from '../../../support/containers/hearing-worker.ts'
import { savedOutput, useOutputs } from '../../../support/containers/outputs.ts'
import { ffmpegBytes, listed } from '../../../support/containers/run-tool.ts'
import { ebur128 } from '../../../support/containers/sound/ebur128.ts'
import { speech, videoWithSound } from '../../../support/containers/sound/speech.ts'

const { made, failed } = useOutputs()

const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i)

describe('a clip of the source', () => {
  it('is a film of its own: its pictures, its loudness, its captions and its chapters', async () => {
    const sound =
      "anoisesrc=d=24:r=48000:a=0.3:seed=1,lowpass=f=3000,volume='if(lt(t,12),0.05,1)':eval=frame"
    const file = await countedVideo({ seconds: 24, fps: 25, sound })
    const text = 'WEBVTT\n\n00:02.000 --> 00:03.000\nearly\n\n00:17.000 --> 00:18.000\nlate\n'
    const { receiver, end } = await made([file], {
      normalizeAudio: true,
      compressionQuality: 60,
      captions: { source: { text }, embed: true },
      outputs: [
        { name: 'quiet', clip: { startTime: 1, endTime: 6 } },
        { name: 'loud', clip: { startTime: 16, endTime: 21 } },
        { name: 'whole', outputFormat: 'wav' },
      ],
    })
    expect(end).toMatchObject({
      type: 'succeeded',
      warnings: [],
      named: [{ duration: 5 }, { duration: 5 }, {}],
    })
    const quiet = await savedOutput(receiver, 'final', 'mp4')
    const loud = await savedOutput(receiver, 'output-loud', 'mp4')
    expect(await shownNumbers(quiet)).toEqual(from(25, 125))
    expect(await shownNumbers(loud)).toEqual(from(400, 125))
    for (const clip of [quiet, loud]) expect((await ebur128(clip)).loudness).toBeCloseTo(-16, 0)
    const track = await ffmpegBytes(['-i', loud, '-map', '0:s', '-f', 'webvtt', '-'])
    expect(track.toString()).toBe('WEBVTT\n\n00:01.000 --> 00:02.000\nlate\n')
    const { commands } = end.trace
    // What lies before the late one is not decoded.
    expect(commands.some(({ args }) => args.join(' ').includes('-noaccurate_seek -ss'))).toBe(true)
  })

  it('says what is wrong with a stretch that is not there', async () => {
    const file = await countedVideo({ seconds: 4, fps: 25 })
    const outputs = [{ name: 'late', clip: { startTime: 70, endTime: 80 } }]
    const end = await failed([file], { outputs })
    expect(end).toMatchObject({
      reason: 'nothing_left',
      message: 'outputs[0] (late): clip begins at 70 s, and the source ends at 4 s.',
    })
    const cut = [{ name: 'cut', clip: { startTime: 1, endTime: 2 } }]
    const none = await failed([file], {
      outputs: cut,
      removeSegments: [{ startTime: 0, endTime: 3 }],
    })
    expect(none).toMatchObject({
      reason: 'nothing_left',
      message: 'outputs[0] (cut): clip lies in what is cut out of the source.',
    })
  })
})

const sentences = ['How warm is the oven today?', 'The oven is warm.', 'We sell bread at noon.']

const words = sentences.flatMap((text, i) =>
  text
    .split(' ')
    .map((word, n) => ({ word, start: 2 + i * 4 + n * 0.4, end: 2.3 + i * 4 + n * 0.4 })),
)
const segments = sentences.map((text, i) => ({
  text: ` ${text}`,
  start: 2 + i * 4,
  end: 4.5 + i * 4,
}))
const heard = { json: { text: sentences.join(' '), language: 'english', segments, words } }

it('makes a result of each suggested clip, with its title and where it lies in the source, and tells the size of a film with its chapters', async () => {
  const { run: hear } = await startHearingWorker(heard)
  const film = await videoWithSound(await speech([1, 2, 1.2, 2]), { fps: 10 })
  const { end } = await hear(film, {
    ...{ suggestClips: { count: 2, minDuration: 2, maxDuration: 4 }, clips: 'suggested' },
    ...{ aspectRatio: '9:16', captions: {} },
  })
  const { clips = [] } = end.moments ?? {}
  expect(clips).toHaveLength(2)
  expect(end.named).toMatchObject(
    clips.map(({ title, startTime, endTime }, i) => ({
      ...{ name: `clip-${i + 1}`, title, clip: { startTime, endTime } },
      kind: i === 0 ? 'final' : `output-clip-${i + 1}`,
    })),
  )
  const [first] = end.named ?? []
  expect(first?.title).toBe('How warm is the oven today?')
  expect((first?.height ?? 0) > (first?.width ?? 0)).toBe(true)

  // The size of the first film is told with the chapters in it.
  const withChapters = await hear(film, {
    chapters: true,
    outputs: [{ name: 'sound', outputFormat: 'mp3' }, { name: 'film' }],
  })
  const stored = await savedOutput(withChapters.receiver, 'final', 'mp4')
  expect(await listed(stored, 'chapter=start_time', [])).not.toEqual([])
  expect(withChapters.end.videoMetadata?.sizeInBytes).toBe((await stat(stored)).size)
})
