import { describe, expect, it, onTestFinished } from 'vitest'
import { transcriptFile } from '../../../../worker/contract/video/transcript.ts'
import { beginInsights } from '../../../../containers/job/hear/begin-insights.ts'
import { unconfined } from '../../../../containers/confine/confinement.ts'
import { chooseProviders } from '../../../../containers/insight/choose-providers.ts'
import { recordTrace } from '../../../../containers/job/report/attempt-trace.ts'
import type { JobContext } from '../../../../containers/job/job-context.ts'
import { TimeLeft } from '../../../../containers/job/report/time-left.ts'
import { Reporter } from '../../../../containers/job/report/send-report.ts'
import { createLog } from '../../../../containers/errors/log.ts'
import { loadSettings } from '../../../../containers/settings/settings.ts'
import { nothingRemoved } from '../../../../containers/timeline/list-cuts.ts'
import { makeVideo } from '../../../support/node/fixtures.ts'
import { aJob } from '../../../support/containers/a-job.ts'
import { startMediaWorker, type MediaWorker } from '../../../support/containers/media-worker.ts'
import {
  startProvider,
  type ProviderStub,
  type Reply,
} from '../../../support/containers/provider-stub.ts'
import { aToolContext } from '../../../support/containers/tool-context.ts'
import { eventually } from '../../../support/node/eventually.ts'
import { aReceiver, aSourceServer } from '../../../support/containers/service-for-all.ts'
import { campaign } from '../../../support/node/campaign.ts'

const spoken: Reply = {
  json: {
    text: ' Good morning. Thank you.',
    language: 'english',
    segments: [
      { start: 0.4, end: 1.2, text: ' Good morning.' },
      { start: 1.2, end: 9, text: ' Thank you.' },
    ],
    words: [
      { word: 'Good', start: 0.4, end: 0.7 },
      { word: 'morning', start: 0.7, end: 1.1 },
      { word: 'Thank', start: 1.2, end: 1.5 },
      { word: 'you', start: 1.5, end: 1.9 },
    ],
  },
}

async function aWorker(
  provider: ProviderStub,
  env: Record<string, string> = {},
): Promise<MediaWorker> {
  const worker = await startMediaWorker({
    SPEECH_PROVIDER: 'openai',
    OPENAI_BASE_URL: `${provider.origin}/v1`,
    OPENAI_API_KEY: 'sk-secret-of-the-owner',
    ...env,
  })
  onTestFinished(worker.stop)
  return worker
}

async function post(worker: MediaWorker, file: string, options: Record<string, unknown>) {
  const receiver = await aReceiver()
  const sources = await aSourceServer()
  const inputs = [sources.file(file)]
  const job = aJob({ inputs, reportsUrl: receiver.reportsUrl, options })
  expect((await worker.post('/jobs', job)).status).toBe(202)
  return { receiver, job }
}

/** Sends a job and waits for its last report; `meanwhile` begins when a transcript is on its way. */
async function run(
  worker: MediaWorker,
  file: string,
  options: Record<string, unknown>,
  meanwhile?: () => void,
) {
  const { receiver } = await post(worker, file, { enableTranscription: true, ...options })
  if (meanwhile) {
    await receiver.when(
      (said) => said.type === 'progress' && said.transcript?.status === 'processing',
    )
    meanwhile()
  }
  const end = await receiver.end()
  if (end.type !== 'succeeded') throw new Error(`The video ${end.type}`)
  return { receiver, end }
}

describe('beginInsights', () => {
  it('hears speech beside the rendering, and stores what was said in four formats', async () => {
    const isHeard = Promise.withResolvers<void>()
    const provider = await startProvider({ ...spoken, after: isHeard.promise })
    const worker = await aWorker(provider)
    const video = await makeVideo({ seconds: 2 })
    const options = { outputFormat: 'webm' }
    const { receiver, end } = await run(worker, video, options, isHeard.resolve)
    const text = 'Good morning. Thank you.'
    expect(end.transcript).toEqual({ status: 'completed', text, language: 'en' })
    expect(end.outputs.map(({ kind }) => kind)).toEqual([
      ...['final', 'thumbnail'],
      ...['transcript-json', 'transcript-txt', 'transcript-srt', 'transcript-vtt'],
    ])
    const file: unknown = JSON.parse(receiver.output('transcript-json').toString())
    expect(transcriptFile.parse(file)).toMatchObject({
      text,
      language: 'en',
      segments: [
        { startTime: 0.4, endTime: 1.1, text: 'Good morning.' },
        { startTime: 1.2, endTime: 1.9, text: 'Thank you.', words: [{ text: 'Thank' }, {}] },
      ],
    })
    expect(receiver.output('transcript-txt').toString()).toBe(`${text}\n`)
    expect(receiver.output('transcript-srt').toString()).toContain('00:00:00,400 --> ')
    expect(receiver.output('transcript-vtt').toString()).toMatch(/^WEBVTT\n\n00:00:00\.400 --> /)

    const timed = Object.fromEntries(end.trace.phases.map((phase) => [phase.name, phase]))
    const beganAt = (name: string): number => Date.parse(timed[name]?.startedAt ?? '')
    const renderedAt = beganAt('rendering') + (timed['rendering']?.durationMs ?? 0)
    expect(beganAt('transcribing')).toBeLessThan(renderedAt)

    const [asked] = provider.asked
    expect(asked?.path).toBe('/v1/audio/transcriptions')
    expect(asked?.headers.get('Authorization')).toBe('Bearer sk-secret-of-the-owner')
    expect(JSON.stringify([worker.logLines, receiver.reports])).not.toContain('sk-secret')
  })

  campaign(
    'sends a silence for what was asked to go, and times what is left on the finished video',
    async () => {
      const word = (text: string, start: number) => ({ word: text, start, end: start + 0.4 })
      const provider = await startProvider({
        json: {
          text: ' Good morning. Thank you.',
          language: 'english',
          segments: [
            { start: 0.4, end: 1.2, text: ' Good morning.', avg_logprob: -1.5 },
            // Sent are two seconds, 1.2 of silence, and the two that are left after the cut.
            { start: 3.7, end: 4.7, text: ' Thank you.', avg_logprob: -1.5 },
          ],
          words: [
            ...[word('Good', 0.4), word('morning', 0.8), word('Thank', 3.7), word('you', 4.2)],
          ],
        },
      })
      const worker = await aWorker(provider)
      const removeSegments = [{ startTime: 2, endTime: 4 }]
      const options = { removeSegments, removeNoise: true }
      const { receiver, end } = await run(worker, await makeVideo({ seconds: 6 }), options)
      const told = { text: 'Good morning. Thank you.', language: 'en', confidence: 0.223 }
      expect(end.transcript).toEqual({ status: 'completed', ...told })
      expect(end.warnings).toEqual([
        'enableTranscription: the speech provider itself is not sure of what it heard, so the text may be wrong (confidence 0.22).',
      ])
      const file: unknown = JSON.parse(receiver.output('transcript-json').toString())
      expect(transcriptFile.parse(file)).toMatchObject({
        ...told,
        segments: [
          { startTime: 0.4, endTime: 1.2, text: 'Good morning.' },
          { startTime: 2.5, endTime: 3.4, text: 'Thank you.', words: [{ startTime: 2.5 }, {}] },
        ],
      })
      expect(end.videoMetadata?.duration).toBeCloseTo(4, 0)
      // 64 kbit/s: 5.2 seconds, and not all six.
      const sentBytes = provider.asked[0]?.body.length ?? 0
      expect(Math.abs(sentBytes - 5.2 * 8_000)).toBeLessThan(3_000)
    },
  )

  it('fails the transcript, and not the video, without sound, or too late', async () => {
    const provider = await startProvider('never')
    const limits = { SPEECH_TIMEOUT_SECONDS: '1' }
    const worker = await aWorker(provider, limits)
    const messageFor = async (video: string) => {
      const { transcript } = (await run(worker, video, {})).end
      return transcript?.status === 'failed' ? transcript.message : transcript?.status
    }
    expect(await messageFor(await makeVideo({ seconds: 1, tone: null }))).toBe(
      'Failed to extract audio: the video has no audio track.',
    )
    expect(provider.asked).toEqual([])
    expect(await messageFor(await makeVideo({ seconds: 1 }))).toBe(
      'Transcription timed out: the provider did not answer within 1 seconds.',
    )
    await eventually(() => expect(provider.hungUp()).toBe(1))
  })

  it('hears nothing of what is planned to be over ten minutes long, and says so at once', async () => {
    const receiver = await aReceiver()
    const options = { enableTranscription: true }
    const job = aJob({ inputs: ['http://a.example/'], reportsUrl: receiver.reportsUrl, options })
    const log = createLog(() => undefined)
    const left = new TimeLeft()
    const reporter = new Reporter({ job, log, left, onStop: () => undefined, throttleMs: 0 })
    onTestFinished(() => reporter.close())
    const controller = new AbortController()
    const settings = loadSettings({ MEDIA_WORKER_TOKEN: 'a-token-for-tests-only' })
    const context: JobContext = {
      job,
      settings,
      log,
      during: async (_step, work) => work(),
      signal: controller.signal,
      reporter,
      tools: await aToolContext(),
      trace: recordTrace(),
      providers: chooseProviders(settings),
      confinement: unconfined,
    }
    const unseen = {
      ...{ clips: [], sound: undefined, transcription: undefined, removed: nothingRemoved },
      joints: [],
      timeline: { frameRate: { frames: 25, seconds: 1 }, clipFrames: [], totalFrames: 0 },
    }
    const insights = beginInsights(context, unseen, 600.1)
    const said = await receiver.next('progress')
    expect(said.transcript).toEqual({ status: 'not_requested' })
    expect(await insights.finish({ video: undefined, durationSeconds: 600.1 })).toEqual({
      transcript: { status: 'not_requested' },
      outputs: [],
      warnings: [
        'enableTranscription: the video is longer than 600 seconds, so it was not transcribed.',
      ],
    })
  })

  campaign('stops asking when the job is canceled', async () => {
    const provider = await startProvider('never')
    const worker = await aWorker(provider)
    const options = { enableTranscription: true }
    const { job } = await post(worker, await makeVideo({ seconds: 1 }), options)
    await eventually(() => expect(provider.asked).toHaveLength(1))
    await worker.post('/jobs/cancel', { jobId: job.jobId, fence: job.fence })
    await eventually(() => expect(provider.hungUp()).toBe(1))
    await eventually(async () => {
      const health: unknown = await (await fetch(`${worker.origin}/health`)).json()
      expect(health).toMatchObject({ running: 0 })
    })
  })
})
