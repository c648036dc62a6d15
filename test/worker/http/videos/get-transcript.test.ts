import { describe, expect, it } from 'vitest'
import { transcriptRecord } from '../../../../worker/contract/video/video-record.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { refusal, send } from '../../../support/worker/client.ts'
import { advanceSeconds } from '../../../support/worker/clock.ts'
import {
  aRunningVideo,
  aTranscribedVideo,
  aVideo,
  spoken,
  transcriptTexts,
} from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'
import { finalText } from '../../../support/worker/attempt.ts'

standInForAll()

describe('readTranscript', () => {
  it('answers 409 with its status and when to come back while it is being made', async () => {
    const { client, videoId } = await aVideo(undefined, { enableTranscription: true })
    const answer = await client.get(`/v1/videos/${videoId}/transcript`)
    expect(answer).toMatchObject({ status: 409, json: { error: 'Conflict', retryAfter: 5 } })
    expect(answer.json['message']).toContain('pending')
    expect(answer.headers.get('Retry-After')).toBe('5')

    const running = await aRunningVideo(client, { enableTranscription: true })
    const transcript = { status: 'processing', progress: 3 }
    await running.attempt.progress(30, 'rendering', { transcript })
    const later = await client.get(`/v1/videos/${running.videoId}/transcript?format=vtt`)
    expect(refusal(later)).toEqual({
      status: 409,
      error: 'Conflict',
      message: 'The transcript is not ready yet; it is processing.',
    })
  })

  it('is not found, with the reason, when it failed', async () => {
    const { client, videoId, attempt } = await aRunningVideo(undefined, {
      enableTranscription: true,
    })
    const message = 'Audio file too large'
    const written = await attempt.upload('final', finalText)
    await attempt.succeed([written], { transcript: { status: 'failed', message } })
    expect(refusal(await client.get(`/v1/videos/${videoId}/transcript`))).toEqual({
      status: 404,
      error: 'NotFound',
      message,
    })
  })

  it('is the text with its language and a link to it as a file', async () => {
    const { client, videoId } = await aTranscribedVideo()
    const { status, json } = await client.get(`/v1/videos/${videoId}/transcript`)
    expect(status).toBe(200)
    const { text, language, transcriptUrl, createdAt } = transcriptRecord.strict().parse(json)
    expect({ text, language, createdAt }).toEqual({
      text: spoken.text,
      language: 'en',
      createdAt: new Date().toISOString(),
    })
    const { pathname } = new URL(String(transcriptUrl))
    const file = await send(pathname)
    expect(file).toMatchObject({ status: 200, text: transcriptTexts['transcript-txt'] })
    expect(file.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  })

  it('adds segments and words as json, and is the file itself in every other format', async () => {
    const { client, videoId } = await aTranscribedVideo()
    const read = async (format: string) =>
      client.get(`/v1/videos/${videoId}/transcript?format=${format}`)
    expect((await read('json')).json).toMatchObject({ videoId, ...spoken })
    const types = { txt: 'text/plain', srt: 'application/x-subrip', vtt: 'text/vtt' } as const
    for (const [format, type] of Object.entries(types)) {
      const answer = await read(format)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('Content-Type')).toBe(`${type}; charset=utf-8`)
      expect(answer.text).toBe(transcriptTexts[`transcript-${format as keyof typeof types}`])
    }
  })

  it('shows how sure the provider is of the text, if the media worker reports it', async () => {
    const client = await aClient()
    const transcript = { text: spoken.text, language: 'en', confidence: 0.42 }
    const warnings = ['enableTranscription: the text may be wrong (confidence 0.42).']
    const { videoId } = await aTranscribedVideo(client, { transcript, warnings })
    for (const query of ['', '?format=json']) {
      const { json } = await client.get(`/v1/videos/${videoId}/transcript${query}`)
      expect(json).toMatchObject(transcript)
    }
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ transcript, warnings })
    const plain = await aTranscribedVideo(client)
    const told = await client.get(`/v1/videos/${plain.videoId}/transcript`)
    expect(told.json).not.toHaveProperty('confidence')
  })

  it('is empty, and not missing, when nobody speaks', async () => {
    const client = await aClient()
    const transcript = { text: '', language: 'und' }
    const { videoId } = await aTranscribedVideo(client, { transcript })
    const { status, json } = await client.get(`/v1/videos/${videoId}/transcript`)
    expect({ status, ...json }).toMatchObject({ status: 200, text: '', language: 'und' })
  })

  it('keeps the text when the files are gone, without a link', async () => {
    const { client, videoId } = await aTranscribedVideo()
    advanceSeconds(31 * 86_400)
    const { json } = await client.get(`/v1/videos/${videoId}/transcript`)
    expect(json).toMatchObject({ text: spoken.text })
    expect(json).not.toHaveProperty('transcriptUrl')
    const answer = await client.get(`/v1/videos/${videoId}/transcript?format=srt`)
    expect(refusal(answer)).toMatchObject({
      status: 404,
      message: 'The files of this transcript have expired or were deleted.',
    })
  })
})
