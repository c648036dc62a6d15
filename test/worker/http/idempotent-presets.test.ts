import { describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import type { Client } from '../../support/worker/client.ts'
import { aField, aFile, upload } from '../../support/worker/upload-form.ts'
import { sourceUrl } from '../../support/worker/videos.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()

const path = '/v1/presets'

async function aPreset(client: Client, fields: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const init = { method: 'PUT', body: JSON.stringify({ fields }), headers }
  expect((await client.send(`${path}/mine`, init)).status).toBeLessThan(202)
}

describe('a request with a preset and an Idempotency-Key', () => {
  const key = { 'Idempotency-Key': 'one' }
  const request = { fileUrl: sourceUrl, preset: 'mine' }

  it('gets its first answer again after the preset has changed, and after it has gone', async () => {
    const client = await aClient()
    await aPreset(client, { removeSilence: true })
    const first = await client.post('/v1/videos', request, key)
    await aPreset(client, { outputFormat: 'webm' })
    const again = await client.post('/v1/videos', request, key)
    expect({ ...again.json, status: again.status }).toEqual({ ...first.json, status: 202 })
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    await client.delete(`${path}/mine`)
    expect((await client.post('/v1/videos', request, key)).text).toBe(first.text)
    expect(await client.record(first.json['videoId'])).toMatchObject({ removeSilence: true })
  })

  it('is another request when it differs, even if the preset makes the same of it', async () => {
    const client = await aClient()
    await aPreset(client, { outputFormat: 'webm' })
    await client.post('/v1/videos', request, key)
    const spelled = { ...request, outputFormat: 'webm' }
    expect((await client.post('/v1/videos', spelled, key)).status).toBe(409)
    const without = { fileUrl: sourceUrl, outputFormat: 'webm' }
    expect((await client.post('/v1/videos', without, key)).status).toBe(409)
  })

  it('holds for forms as well', async () => {
    const client = await aClient()
    await aPreset(client, { removeSilence: true })
    const form = [aField('preset', 'mine'), aFile()]
    const first = await upload(client, form, key)
    expect(first.status, first.text).toBe(202)
    await client.delete(`${path}/mine`)
    expect((await upload(client, form, key)).text).toBe(first.text)
    const other = [aField('preset', 'captions'), aFile()]
    expect((await upload(client, other, key)).status).toBe(409)
  })
})
