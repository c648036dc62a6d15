import { describe, expect, it, vi } from 'vitest'
import { aTrace } from '../../../support/worker/attempt.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { recordLog } from '../../../support/worker/log-lines.ts'
import { aFinishedVideo, aRunningVideo, attemptRows } from '../../../support/worker/videos.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

standInForAll()

const objectOf = (videoId: string) => `traces/${videoId}/1.json`

describe('the trace of an attempt', () => {
  it('is in the bucket when the job has ended; the row keeps its phases', async () => {
    const { client, videoId, jobId } = await aFinishedVideo()
    const object = await bindings.BUCKET.get(objectOf(videoId))
    expect(await object?.json()).toEqual(aTrace)
    const [row] = await attemptRows(jobId)
    expect(row?.trace).toEqual({ phases: aTrace.phases, commands: [], key: objectOf(videoId) })
    const [attempt] = (await client.get(`/v1/jobs/${jobId}`)).json['attempts'] as unknown[]
    expect(attempt).toMatchObject(aTrace)
    expect(attempt).not.toHaveProperty('key')
  })

  it('stays in the row if the bucket does not take it, and the video ends all the same', async () => {
    const { client, attempt, jobId } = await aRunningVideo()
    const log = recordLog()
    const put = vi.spyOn(prototypeOf(bindings.BUCKET), 'put')
    put.mockRejectedValueOnce(new Error('R2 is down'))
    await attempt.fail({ retryable: false })
    expect((await client.get(`/v1/jobs/${jobId}`)).json).toMatchObject({
      status: 'failed',
      attempts: [aTrace],
    })
    expect((await attemptRows(jobId))[0]?.trace).toEqual({
      ...aTrace,
      fault: 'The encoder stopped.',
    })
    expect(log.lines().map(({ event }) => event)).toContain('a trace stays in the database')
  })

  it('is shown as its row has it, if its object is gone', async () => {
    const { client, videoId, jobId } = await aFinishedVideo()
    await bindings.BUCKET.delete(objectOf(videoId))
    expect((await client.get(`/v1/jobs/${jobId}`)).json).toMatchObject({
      attempts: [{ phases: aTrace.phases, commands: [], plan: null }],
    })
  })

  it('goes with its video', async () => {
    const { client, videoId } = await aFinishedVideo()
    expect((await client.delete(`/v1/videos/${videoId}`)).status).toBe(204)
    expect(await bindings.BUCKET.head(objectOf(videoId))).toBeNull()
  })
})
