import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { coverSpoken } from '../../../../containers/job/cut/cover-spoken.ts'
import type { JobContext } from '../../../../containers/job/job-context.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { countedVideo } from '../../../support/containers/films/counted-video.ts'
import { startHearingWorker } from '../../../support/containers/hearing-worker.ts'
import { savedOutput } from '../../../support/containers/outputs.ts'
import { ffmpeg, packetsOf } from '../../../support/containers/run-tool.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'
import { leftOf } from '../../../support/containers/sound/samples.ts'
import { amplitudeAt } from '../../../support/containers/sound/sound-files.ts'

const rate = 16_000

const spoken = {
  json: {
    text: ' So damn it. Damn, Jane.',
    language: 'english',
    segments: [{ start: 0.5, end: 3.4, text: ' So damn it. Damn, Jane.' }],
    words: [
      { word: 'So', start: 0.5, end: 0.8 },
      { word: 'damn', start: 1, end: 1.4 },
      { word: 'it', start: 1.6, end: 1.8 },
      { word: 'Damn', start: 2.4, end: 2.8 },
      { word: 'Jane', start: 3, end: 3.4 },
    ],
  },
}

/** A tone of 440 Hz stands for all that is said. */
const film = async () =>
  countedVideo({ seconds: 4, fps: 25, sound: "aevalsrc='0.1*sin(2*PI*440*t)':s=48000:d=4" })

/** How loud a pitch is from one second to another. */
function levelIn(samples: Float32Array, from: number, to: number, pitch: number): number {
  const wanted = { hertz: pitch, windowSeconds: to - from }
  return amplitudeAt(samples, rate, (from + to) / 2, wanted)
}

describe('coverSpoken', () => {
  it('says in a plan what is known of the words, and nothing of words that are only assumed', async () => {
    const options = optionsSchema.parse({ bleep: ['acme'] })
    const context = { job: { options }, mayListenMs: 1_000 } as JobContext
    const transcription = { outcome: 'heard', speech: { language: 'en', segments: [] } } as const
    const known = await coverSpoken({ ...context, areWordsKnown: true }, undefined, transcription)
    expect(known.words?.warnings).toEqual(['bleep: nobody speaks in this video.'])
    expect((await coverSpoken(context, undefined, transcription)).words).toBeUndefined()
  })

  it('covers words with a tone, masks them in all texts, and copies the pictures', async () => {
    const { run } = await startHearingWorker(spoken)
    const video = await film()
    const { end, receiver } = await run(video, {
      ...{ bleep: ['DAMN', 'acme'], enableTranscription: true, outputFormat: 'mp4' },
      captions: { embed: true },
    })
    expect(end.warnings).toEqual(['bleep[1]: “acme” was not heard.'])
    expect(end.covered?.words).toBe(2)
    expect(end.covered?.places?.[1]?.startTime).toBeCloseTo(2.3, 2)
    expect(end.covered?.places?.[1]?.endTime).toBeCloseTo(2.9, 2)
    expect(end.checks?.filter(({ result }) => result !== 'passed')).toEqual([])
    expect(end.transcript).toMatchObject({ text: 'So *** it. ***, Jane.' })
    const json = await savedOutput(receiver, 'transcript-json', 'json')
    expect(String(await readFile(json))).not.toMatch(/damn/i)
    const made = await savedOutput(receiver, 'final', 'mp4')
    expect(await packetsOf(made)).toBe(await packetsOf(video))
    const track = await ffmpeg(['-i', made, '-map', '0:s', '-f', 'webvtt', '-'])
    expect(track).toContain('So *** it.')
    const samples = await leftOf(made, rate)
    for (const [from, to] of [
      [0.95, 1.45],
      [2.35, 2.85],
    ] as const) {
      expect(levelIn(samples, from, to, 440)).toBeLessThan(0.005)
      expect(levelIn(samples, from, to, 1000)).toBeCloseTo(0.1, 2)
    }
    for (const [from, to] of [
      [0.5, 0.85],
      [1.55, 2.25],
      [2.95, 3.4],
    ] as const) {
      expect(levelIn(samples, from, to, 440)).toBeCloseTo(0.1, 2)
    }
  })

  it('counts and covers only what the cuts leave, lists the places without a video, and says why nothing could be covered', async () => {
    const { run } = await startHearingWorker(spoken)
    const { end, receiver } = await run(await film(), {
      ...{ bleep: ['damn'], bleepWith: 'silence', speed: 2 },
      removeSegments: [{ startTime: 0, endTime: 2 }],
    })
    expect(end).toMatchObject({ warnings: [], covered: { words: 1 } })
    // The provider hears only what is left: its first second is the third of the source.
    expect(end.covered?.places?.[0]?.startTime).toBeCloseTo(0.45, 2)
    const samples = await leftOf(await savedOutput(receiver, 'final', 'mp4'), rate)
    expect(levelIn(samples, 0.5, 0.7, 440)).toBeLessThan(0.005)
    expect(levelIn(samples, 0.05, 0.4, 440)).toBeGreaterThan(0.08)

    const looked = await run(await film(), { analyzeOnly: true, bleep: ['damn it'] })
    expect(looked.end.covered).toMatchObject({ words: 1, places: [{ phrase: 0 }] })
    expect(looked.end.transcript).toMatchObject({ text: 'So *** ***. Damn, Jane.' })
    const silent = await run(await makeVideo({ tone: null }), { bleep: ['damn'] })
    expect(silent.end).toMatchObject({
      warnings: [expect.stringMatching(/^bleep: nothing was covered\. .*audio/)],
      covered: { words: 0, places: [] },
    })
  })
})
