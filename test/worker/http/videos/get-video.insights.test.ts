import { describe, expect, it } from 'vitest'
import { videoRecord } from '../../../../worker/contract/video/video-record.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { refusal } from '../../../support/worker/client.ts'
import {
  aRunningVideo,
  aTranscribedVideo,
  spoken,
  videoRow,
  eventRows,
  transcriptTexts,
} from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { transcriptKinds } from '../../../../worker/contract/job/media-job.ts'
import { finalText } from '../../../support/worker/attempt.ts'

standInForAll()

describe('readVideo, of a video with a transcript or an analysis', () => {
  it('shows the progress of transcript and analysis while they are made', async () => {
    const client = await aClient()
    const request = { enableTranscription: true, enableAiAnalysis: true }
    const { videoId, attempt } = await aRunningVideo(client, request)
    const shown = async () => client.record(videoId)
    await attempt.progress(30, 'rendering', { transcript: { status: 'processing', progress: 0 } })
    expect(await shown()).toMatchObject({
      transcript: { status: 'processing', progress: 0 },
      analysis: { status: 'pending', progress: 0 },
    })
    await attempt.progress(90, 'uploading', {
      transcript: { status: 'processing', progress: 70.5 },
      analysis: { status: 'processing', progress: 12 },
    })
    expect(await shown()).toMatchObject({
      transcript: { status: 'processing', progress: 70 },
      analysis: { status: 'processing', progress: 12 },
    })
  })

  it('expects a transcript for captions that are heard, and none for those of the customer', async () => {
    const client = await aClient()
    const shownFor = async (captions: object) => {
      const fileUrl = 'https://example.com/talk.mp4'
      const { videoId } = (await client.post('/v1/videos', { fileUrl, captions })).json
      return client.record(videoId)
    }
    expect(await shownFor({ burn: true })).toMatchObject({
      hasTranscript: true,
      transcript: { status: 'pending' },
    })
    const source = { words: [{ text: 'Hello', startTime: 0, endTime: 1 }] }
    expect(await shownFor({ source })).toMatchObject({ hasTranscript: false })
  })

  it('ignores a transcript and an analysis that were not requested, or are reported late', async () => {
    const client = await aClient()
    const processing = { status: 'processing', progress: 40 }
    const both = { transcript: processing, analysis: processing }
    const unasked = await aRunningVideo(client)
    await unasked.attempt.progress(30, 'rendering', both)
    const record = await client.record(unasked.videoId)
    const analysis = { status: 'not_requested' }
    expect(record).toMatchObject({ status: 'running', hasTranscript: false, analysis })
    expect(record).not.toHaveProperty('transcript')

    const stale = await aRunningVideo(client, { enableTranscription: true })
    await stale.attempt.progress(30, 'rendering', { transcript: processing })
    stale.attempt.sequence = 0
    await stale.attempt.progress(30, 'rendering', { transcript: { status: 'not_requested' } })
    expect(await client.record(stale.videoId)).toMatchObject({
      transcript: { status: 'processing' },
    })
  })

  it('shows what was said and found once the video has succeeded', async () => {
    const client = await aClient()
    const data = { tags: ['dog', 'beach'], summary: 'A dog runs.', estimatedLocation: 'unknown' }
    const { videoId } = await aTranscribedVideo(client, {
      request: { enableAiAnalysis: true },
      analysis: { status: 'completed', data },
    })
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(videoRecord.parse(json)).toEqual(json)
    expect(json).toMatchObject({
      status: 'succeeded',
      hasTranscript: true,
      transcript: {
        status: 'completed',
        text: spoken.text,
        language: 'en',
        transcriptUrl: expect.stringMatching(/\/files\/.+\/holiday\.txt\?object=/) as string,
        vttUrl: expect.stringMatching(/\/files\/.+\/holiday\.vtt\?object=/) as string,
        srtUrl: expect.stringMatching(/\/files\/.+\/holiday\.srt\?object=/) as string,
      },
      analysis: { status: 'completed', progress: 100, data },
    })
    expect(json).not.toHaveProperty('errorMessage')
  })

  it('has no transcript when it was dropped, and says why', async () => {
    const { client, videoId, attempt } = await aRunningVideo(undefined, {
      enableTranscription: true,
    })
    const dropped = { status: 'not_requested' }
    const warnings = ['enableTranscription: too long.']
    await attempt.progress(20, 'rendering', { transcript: dropped })
    expect(await client.record(videoId)).toMatchObject({ hasTranscript: false })
    await attempt.finish({
      transcript: dropped,
      warnings,
    })
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ hasTranscript: false, enableTranscription: true, warnings })
    expect(json).not.toHaveProperty('transcript')
    const answer = await client.get(`/v1/videos/${videoId}/transcript`)
    expect(refusal(answer)).toMatchObject({
      status: 404,
      message: 'This video has no transcript; the warnings in its record say why.',
    })
  })

  it('has a failed transcript when one of its files could not be stored', async () => {
    const { client, videoId } = await aTranscribedVideo(undefined, { lost: ['transcript-srt'] })
    expect(await client.record(videoId)).toMatchObject({
      status: 'succeeded',
      hasTranscript: false,
      transcript: { status: 'failed', error: 'The transcript could not be stored.' },
      errorMessage: 'The transcript could not be stored.',
    })
    expect((await videoRow(videoId))?.result?.outputs).toHaveProperty('final')
    expect((await videoRow(videoId))?.result?.outputs).not.toHaveProperty('transcript-txt')
  })

  it('has no pending transcript once the video has failed or was canceled', async () => {
    const client = await aClient()
    const request = { enableTranscription: true }
    const { videoId, attempt } = await aRunningVideo(client, request)
    await attempt.fail({ message: 'This is a PDF.', retryable: false })
    expect(await client.record(videoId)).toMatchObject({
      hasTranscript: false,
      transcript: {
        status: 'failed',
        error: 'Transcription did not happen, because the video failed.',
      },
      errorMessage: 'This is a PDF.',
    })
    const canceled = await aRunningVideo(client, request)
    const { json } = await client.post(`/v1/videos/${canceled.videoId}/cancel`)
    expect(json).toMatchObject({
      hasTranscript: false,
      transcript: { status: 'failed', error: 'Transcription was canceled with the video.' },
    })
    expect(json).not.toHaveProperty('errorMessage')
  })
})

standInForAll()

const suggestions = [
  { startTime: 0, endTime: 1.2, why: 'silence' },
  { startTime: 2.04, endTime: 2.4, why: 'filler', text: 'um,' },
]
const webhookUrl = 'https://hooks.example.com/spool'
const noVideo = { videoMetadata: undefined, suggestions }

describe('readVideo, of a video that was only analysed', () => {
  it('has the transcript and the suggestions once it has succeeded, as the webhook does', async () => {
    const { client, videoId, attempt } = await aRunningVideo(undefined, {
      ...{ analyzeOnly: true, enableAiAnalysis: true, webhookUrl },
    })
    const read = async () => client.record(videoId)
    expect(attempt.job.options.analyzeOnly).toBe(true)
    const running = await read()
    expect(running).toMatchObject({
      ...{ analyzeOnly: true, hasTranscript: true, transcript: { status: 'pending' } },
      analysis: { status: 'not_requested' },
    })
    expect(running).not.toHaveProperty('suggestions')

    const written = []
    for (const kind of transcriptKinds) {
      written.push(await attempt.upload(kind, transcriptTexts[kind]))
    }
    const { text, language } = spoken
    const transcript = { status: 'completed', text, language }
    const later = { startTime: 4, endTime: 5, why: 'cough' }
    const answer = await attempt.succeed(written, {
      ...{ ...noVideo, transcript, suggestions: [...suggestions, later] },
    })
    expect(answer.status).toBe(200)
    const ended = await read()
    expect(videoRecord.parse(ended)).toEqual(ended)
    expect(ended).toMatchObject({
      ...{ status: 'succeeded', suggestions, analysis: { status: 'not_requested' } },
      transcript: { status: 'completed', text, vttUrl: expect.any(String) as string },
    })
    expect(ended).not.toHaveProperty('finalVideoUrl')
    expect(ended).not.toHaveProperty('videoMetadata')
    const [event] = await eventRows(videoId)
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'video.succeeded',
      data: { videoId, suggestions, transcript: { text } },
    })
  })

  it('succeeds without any file if nothing could be heard', async () => {
    const { client, videoId, attempt } = await aRunningVideo(undefined, { analyzeOnly: true })
    const transcript = { status: 'failed', message: 'The video has no audio track.' }
    await attempt.succeed([], { ...noVideo, suggestions: [], transcript })
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({
      ...{ status: 'succeeded', suggestions: [], warnings: [], hasTranscript: false },
      errorMessage: transcript.message,
    })
  })

  it('is the only one that may succeed without a video', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    expect((await attempt.succeed([])).status).toBe(400)
    const written = [await attempt.upload('final', finalText)]
    expect((await attempt.succeed(written, { videoMetadata: undefined })).status).toBe(400)
    await attempt.succeed([], noVideo)
    expect(await client.record(videoId)).not.toMatchObject({
      status: 'succeeded',
    })
  })
})
