import { describe, expect, it } from 'vitest'
import { transcriptKinds } from '../../../../worker/contract/job/media-job.ts'
import { videoRecord } from '../../../../worker/contract/video/video-record.ts'
import {
  aRunningVideo,
  eventRows,
  finalText,
  spoken,
  transcriptTexts,
} from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

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
    const read = async () => (await client.get(`/v1/videos/${videoId}`)).json
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
    expect((await client.get(`/v1/videos/${videoId}`)).json).not.toMatchObject({
      status: 'succeeded',
    })
  })
})
