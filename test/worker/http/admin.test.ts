import { describe, expect, it, vi } from 'vitest'
import { looksLikeApiKey } from '../../../worker/contract/people/api-key.ts'
import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'
import { sweep } from '../../../worker/queue/sweep.ts'
import { KeyGate } from '../../../worker/durable/key-gate.ts'
import { aClient, administer, anAccount, revoke, sendAdmin } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { Client, refusal, send } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { aStoredVideo, aRunningVideo, aVideo, start } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

const { queue } = standInForAll()

const path = '/internal/admin'
const count = async (table: string) =>
  (await bindings.DB.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>('n')) ?? 0

describe('administer', () => {
  it('refuses unsigned and wrongly signed commands', async () => {
    const accounts = await count('accounts')
    const body = JSON.stringify({ command: 'accounts.create' })
    const unauthorized = {
      status: 401,
      error: 'Unauthorized',
      message: 'The signature is not valid; is SPOOL_ADMIN_SECRET the right one?',
    }
    const signed = async (secret: string, text = body, at = Date.now()) =>
      send(path, {
        method: 'POST',
        body,
        headers: { [signatureHeader]: await signMessage(secret, text, at) },
      })
    expect(refusal(await send(path, { method: 'POST', body }))).toEqual(unauthorized)
    expect(refusal(await signed('a wrong secret of at least 32 chars'))).toEqual(unauthorized)
    expect(refusal(await signed(bindings.SPOOL_SECRET))).toEqual(unauthorized)
    const { SPOOL_ADMIN_SECRET: secret } = bindings
    expect(refusal(await signed(secret, '{"command":"accounts.list"}'))).toEqual(unauthorized)
    expect(refusal(await signed(secret, body, Date.now() - 601_000))).toEqual(unauthorized)
    const { apiKey } = await aClient()
    const withKey = new Client({ apiKey, keyId: '', accountId: '' })
    expect(refusal(await withKey.post(path, body))).toEqual(unauthorized)
    expect(await count('accounts')).toBe(accounts + 1)
  })

  it('names the fields that it does not understand', async () => {
    const fields = async (request: object) => {
      const { status, json } = await sendAdmin(request)
      expect(status).toBe(400)
      return (json['details'] as { field: string }[]).map(({ field }) => field)
    }
    const account = { command: 'accounts.create' }
    expect(await fields({ ...account, nmae: 'x' })).toEqual(['nmae'])
    expect(await fields({ ...account, name: 'a\u001b[2Jb' })).toEqual(['name'])
    expect(await fields({ ...account, name: '\u0000' })).toEqual(['name'])
    expect(await fields({ ...account, name: 'a\ud800' })).toEqual(['name'])
    const key = { command: 'keys.create', accountId: await anAccount() }
    const past = new Date(Date.now() - 1000).toISOString()
    expect(await fields({ ...key, scopes: ['videos:read'], expiresAt: past })).toEqual([
      'expiresAt',
    ])
    expect((await sendAdmin('{')).status).toBe(400)
  })

  it('carries out a command once, so that a captured one is useless', async () => {
    const command = { command: 'accounts.create', nonce: crypto.randomUUID() }
    expect((await sendAdmin(command)).status).toBe(200)
    const accounts = await count('accounts')
    expect(refusal(await sendAdmin(command))).toMatchObject({ status: 409, error: 'Conflict' })
    advanceSeconds(300)
    await sweep(bindings, Date.now())
    expect((await sendAdmin(command)).status).toBe(409)
    expect(await count('accounts')).toBe(accounts)
    expect((await sendAdmin({ ...command, nonce: 'short' })).status).toBe(400)
  })

  it('forgets a nonce when no signature with it can be valid any more', async () => {
    advanceSeconds(86_400)
    await sweep(bindings, Date.now())
    expect(await count('admin_nonces')).toBe(0)
  })

  it('makes a key that is shown once and stored nowhere', async () => {
    const accountId = await anAccount()
    const issued = await administer<'keys.create'>({
      command: 'keys.create',
      accountId,
      scopes: ['videos:read'],
    })
    expect(looksLikeApiKey(issued.apiKey)).toBe(true)
    const { keys } = await administer<'keys.list'>({ command: 'keys.list', accountId })
    const { apiKey, ...known } = issued
    expect(keys).toEqual([
      { ...known, hint: `spool_…${apiKey.slice(-4)}`, lastUsedAt: null, revokedAt: null },
    ])
    const { results } = await bindings.DB.prepare('SELECT * FROM api_keys').all()
    expect(JSON.stringify(results)).not.toContain(apiKey.slice(6, 32))
  })

  it('revokes a key for good, at the time of the first command, and accepts repeats', async () => {
    const client = await aClient()
    const told = { command: 'keys.revoke', keyId: client.keyId } as const
    const first = await administer<'keys.revoke'>(told)
    expect(first).toEqual({ keyId: client.keyId, revokedAt: new Date().toISOString() })
    advanceSeconds(60)
    expect(await administer<'keys.revoke'>(told)).toEqual(first)
    expect((await client.get('/v1/videos')).status).toBe(401)
  })

  it('tells the gate again if the first call was lost', async () => {
    const client = await aClient()
    vi.spyOn(KeyGate.prototype, 'revoke').mockImplementationOnce(() => {
      throw new Error('the object is being moved')
    })
    const told = { command: 'keys.revoke', keyId: client.keyId }
    expect((await sendAdmin(told)).status).toBe(500)
    await revoke(client)
    expect((await client.get('/v1/videos')).status).toBe(401)
  })

  it('replays a job: sends one that waits, leaves one that is held, and submits a failed one again', async () => {
    const client = await aClient()
    const replay = async (jobId: string) =>
      administer<'jobs.replay'>({ command: 'jobs.replay', jobId })
    const request = { videoName: 'Mine', removeSilence: true }
    const { videoId: first, jobId: old } = await aVideo(client, request)
    const waiting = { videoId: first, jobId: old }
    queue.current.sent.length = 0
    expect(await replay(waiting.jobId)).toEqual({ outcome: 'sent', ...waiting })
    expect(queue.current.sentFor(waiting.jobId)).toHaveLength(1)
    const held = await start(waiting)
    expect(await replay(waiting.jobId)).toEqual({ outcome: 'held', ...waiting })
    await held.attempt.fail({ retryable: false })

    const { outcome, jobId, videoId } = await replay(waiting.jobId)
    expect(outcome).toBe('created')
    expect(videoId).not.toBe(waiting.videoId)
    const before = await client.record(waiting.videoId)
    expect(before).toMatchObject({ status: 'failed' })
    const again = await start({ videoId, jobId })
    await again.attempt.finish()
    expect(await client.record(videoId)).toMatchObject({
      status: 'succeeded',
      ...request,
    })
    expect(refusal(await sendAdmin({ command: 'jobs.replay', jobId }))).toMatchObject({
      status: 409,
      message: 'The job has succeeded; there is nothing to replay.',
    })
  })

  it('replays a video whose file was uploaded, with the file that is kept', async () => {
    const stored = await aStoredVideo()
    const { attempt } = await start(stored)
    await attempt.fail({ retryable: false })
    const { outcome, ...created } = await administer<'jobs.replay'>({
      command: 'jobs.replay',
      jobId: stored.jobId,
    })
    expect(outcome).toBe('created')
    const again = await start(created)
    expect(again.attempt.job.inputs[0]?.url).toContain(`/uploads/${stored.uploadId}/source?`)
  })

  it('does not know accounts, keys and jobs that do not exist', async () => {
    const scopes = ['videos:read']
    expect(refusal(await sendAdmin({ command: 'keys.create', accountId: 'a_no', scopes }))).toEqual(
      {
        status: 404,
        error: 'NotFound',
        message: 'There is no account a_no.',
      },
    )
    expect((await sendAdmin({ command: 'keys.revoke', keyId: 'k_no' })).status).toBe(404)
    expect((await sendAdmin({ command: 'jobs.show', jobId: 'j_no' })).status).toBe(404)
  })

  it('shows the jobs of all accounts, newest first, and one of them as its owner sees it', async () => {
    const client = await aClient()
    await aVideo()
    advanceSeconds(1)
    const { videoId, jobId } = await aVideo(client)
    const { jobs } = await administer<'jobs.list'>({ command: 'jobs.list', limit: 2 })
    expect(jobs).toHaveLength(2)
    expect(jobs[0]).toMatchObject({ jobId, videoId, accountId: client.accountId, attempts: 0 })
    const none = await administer<'jobs.list'>({ command: 'jobs.list', status: 'canceled' })
    expect(none).toEqual({ jobs: [] })
    const shown = await administer<'jobs.show'>({ command: 'jobs.show', jobId })
    expect(shown).toEqual((await client.get(`/v1/jobs/${jobId}`)).json)
  })

  it('finds a job by the id of its video, and says in the list why it failed', async () => {
    const { client, videoId, jobId, attempt } = await aRunningVideo()
    await aVideo(client)
    await attempt.fail({ reason: 'source_not_media', retryable: false })
    const { jobs } = await administer<'jobs.list'>({ command: 'jobs.list', videoId })
    expect(jobs).toEqual([expect.objectContaining({ jobId, reason: 'source_not_media' })])
    const shown = await administer<'jobs.show'>({ command: 'jobs.show', jobId: videoId })
    expect(shown).toMatchObject({ jobId, videoId, error: { reason: 'source_not_media' } })
    const replayed = await administer<'jobs.replay'>({ command: 'jobs.replay', jobId: videoId })
    expect(replayed).toMatchObject({ outcome: 'created' })
    expect(refusal(await sendAdmin({ command: 'jobs.show', jobId: 'v_00000000' }))).toMatchObject({
      status: 404,
      message: 'There is no video v_00000000.',
    })
  })
})
