import { describe, expect, it, vi } from 'vitest'
import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'
import { Attempt, objectOf } from '../../support/worker/attempt.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Answer } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { recordStatements } from '../../support/worker/platform/statements.ts'
import { aRunningVideo, videoRow } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const refused = {
  status: 401,
  json: { error: 'Unauthorized', message: 'The signature is not valid.' },
}
const failure = { type: 'failed', reason: 'internal', message: 'x', retryable: false }
const final = { kind: 'final', extension: 'mp4', contentType: 'video/mp4', sizeBytes: 26 }

async function post(jobId: string, body: string, signature?: string): Promise<Answer> {
  const headers = signature === undefined ? undefined : { [signatureHeader]: signature }
  const init = headers === undefined ? {} : { headers }
  return send(`/internal/jobs/${jobId}/attempts/1/reports`, { method: 'POST', body, ...init })
}

const progress = (fence = 1) =>
  JSON.stringify({ type: 'progress', fence, sequence: 1, phase: 'rendering', progressPercent: 50 })

describe('receiveReport', () => {
  it('trusts only the holder of the key, and tells everybody else nothing', async () => {
    const { videoId, jobId, attempt } = await aRunningVideo()
    const other = await aRunningVideo()
    const before = await videoRow(videoId)
    const log = recordStatements()
    const { key } = attempt.job.reports
    const signed = async (body: string, secret: string) => signMessage(secret, body, Date.now())

    const attacks = [
      await post(jobId, progress()),
      await post(jobId, progress(), 'v1=nothing'),
      await post(jobId, progress(), await signed(progress(), 'a guess')),
      await post(jobId, progress(), await signed(progress(), bindings.MEDIA_WORKER_TOKEN)),
      await post(jobId, progress(), await signed(progress(), other.attempt.job.reports.key)),
      await post(jobId, progress(2), await signed(progress(2), key)),
      await post(jobId, `${progress()} `, await signed(progress(), key)),
      await post('j_never', progress(), await signed(progress(), key)),
      await post('not-a-job', progress(), await signed(progress(), key)),
      await post(jobId, 'not json', await signed('not json', key)),
      await post(jobId, '[]', await signed('[]', key)),
      await post(jobId, '{"fence":"1"}', await signed('{"fence":"1"}', key)),
      await post(jobId, '', await signed('', key)),
    ]
    for (const answer of attacks) expect(answer).toMatchObject(refused)
    expect(new Set(attacks.map(({ text }) => text)).size).toBe(1)
    expect(log.calls).toBe(0)
    expect(await videoRow(videoId)).toEqual(before)
  })

  it('does not parse a body whose signature is not valid', async () => {
    const { jobId } = await aRunningVideo()
    const parse = vi.spyOn(JSON, 'parse')
    const answer = await send(`/internal/jobs/${jobId}/attempts/1/reports`, {
      method: 'POST',
      body: '{"fence":1,"marker":"unsigned"}',
      headers: { [signatureHeader]: await signMessage('a guess', progress(), Date.now()) },
    })
    const parsed = parse.mock.calls.map(([text]) => text)
    parse.mockRestore()
    expect(answer.status).toBe(401)
    expect(parsed.filter((text) => text.includes('unsigned'))).toEqual([])
  })

  it('does not let an old message be sent again', async () => {
    const { client, videoId, attempt } = await aRunningVideo()
    await attempt.progress(30)
    const captured = new Attempt(attempt.job)
    await attempt.progress(60)
    advanceSeconds(30)
    expect((await captured.report({ ...failure })).status).toBe(400)
    expect((await captured.fail({ sequence: 1, retryable: false })).json).toEqual({
      action: 'carry-on',
    })
    const { json } = await client.get(`/v1/videos/${videoId}`)
    expect(json).toMatchObject({ status: 'running', progressPercent: 60 })
  })

  it('says what it did not understand, to the holder of the key', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const unknown = await attempt.report({ type: 'dancing' })
    expect(unknown).toMatchObject({ status: 400, json: { error: 'ValidationError' } })
    const all = await attempt.report({ type: 'progress', phase: 'rendering', progressPercent: 100 })
    expect(all.status).toBe(400)
    const wrong = await attempt.report({ ...failure, trace: { phases: [{}], commands: [] } })
    expect(wrong.status).toBe(400)
    expect(await videoRow(videoId)).toMatchObject({ status: 'running', progressPercent: 0 })
  })

  it('reads no more than the size limit of a report', async () => {
    const { jobId } = await aRunningVideo()
    expect(await post(jobId, 'x'.repeat(4_000_001), 'v1=nothing')).toMatchObject({
      status: 413,
      json: { error: 'PayloadTooLarge' },
    })
  })
})

describe('grantOutput', () => {
  it('signs an address for every part of exactly that object', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const sizeBytes = 2 * 64 * 1024 * 1024 + 1
    const answer = await attempt.askForUpload('final', sizeBytes)
    expect(answer).toMatchObject({ status: 200, json: { partSizeBytes: 64 * 1024 * 1024 } })
    const parts = answer.json['parts'] as { partNumber: number; url: string }[]
    expect(parts.map(({ partNumber }) => partNumber)).toEqual([1, 2, 3])
    const uploads = new Set(parts.map(({ url }) => JSON.stringify(objectOf(url))))
    expect(uploads.size).toBe(1)
    for (const { partNumber, url } of parts) {
      expect(objectOf(url).key).toBe(`videos/${videoId}/out/1/final.mp4`)
      const { searchParams } = new URL(url)
      expect(searchParams.get('partNumber')).toBe(String(partNumber))
      expect(searchParams.get('X-Amz-Expires')).toBe('46800')
      expect(searchParams.get('X-Amz-Signature')).toMatch(/^[0-9a-f]{64}$/)
      expect(url).not.toContain('localsecret')
    }
  })

  it('forgets a first upload when the worker asks again', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const first = await attempt.upload('final', 'first')
    const second = await attempt.upload('final', 'second')
    await attempt.succeed([first])
    expect(await videoRow(videoId)).toMatchObject({ status: 'queued' })
    expect(second.parts).toHaveLength(1)
  })

  it('returns the same upload for the same request, so that a captured request ends nothing', async () => {
    const { videoId, attempt } = await aRunningVideo()
    const written = await attempt.upload('final', 'the same size')
    const again = await attempt.askForUpload('final', 'the same size'.length)
    expect(again.status).toBe(200)
    await attempt.succeed([written])
    expect(await videoRow(videoId)).toMatchObject({ status: 'succeeded' })
  })

  it('is as closed to others as the reports are', async () => {
    const { jobId, attempt } = await aRunningVideo()
    const body = JSON.stringify({ fence: 1, ...final })
    const path = `/internal/jobs/${jobId}/attempts/1/reports/outputs`
    expect(await send(path, { method: 'POST', body })).toMatchObject(refused)
    const headers = { [signatureHeader]: await signMessage('a guess', body, Date.now()) }
    expect(await send(path, { method: 'POST', body, headers })).toMatchObject(refused)
    expect((await attempt.askForUpload('final', 0)).status).toBe(400)
  })

  it('does not let a file name leave its folder', async () => {
    const { jobId, attempt } = await aRunningVideo()
    const body = JSON.stringify({ fence: 1, ...final, extension: '../../x' })
    const { key } = attempt.job.reports
    const answer = await send(`/internal/jobs/${jobId}/attempts/1/reports/outputs`, {
      method: 'POST',
      body,
      headers: { [signatureHeader]: await signMessage(key, body, Date.now()) },
    })
    expect(answer.status).toBe(400)
  })
})
