import { describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Answer, Client } from '../../support/worker/client.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import {
  aField,
  aFile,
  clip,
  formOf,
  joined,
  leftBehind,
  nothing,
  sendForm,
  upload,
} from '../../support/worker/upload-form.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'

standInForAll()
const key = { 'Idempotency-Key': 'one' }
const otherClip = joined([clip, 'more'])

async function count(sql: string, client: Client): Promise<number> {
  return (await bindings.DB.prepare(sql).bind(client.accountId).first<number>('n')) ?? 0
}

async function videosOf(client: Client): Promise<number> {
  return count('SELECT count(*) AS n FROM videos WHERE account_id = ?', client)
}

/** A form whose second half comes when the test says so. */
function inTwoHalves(form: Uint8Array<ArrayBuffer>) {
  const { readable, writable } = new FixedLengthStream(form.length)
  const writer = writable.getWriter()
  const half = Math.floor(form.length / 2)
  void writer.write(form.slice(0, half))
  const finish = async () => {
    await writer.write(form.slice(half))
    await writer.close()
  }
  return { readable, finish }
}

/** Resolves once the key is claimed. */
async function claimed(client: Client): Promise<void> {
  for (;;) {
    const sql = 'SELECT count(*) AS n FROM idempotency_keys WHERE key_id = ?'
    const rows = await bindings.DB.prepare(sql).bind(client.keyId).first<number>('n')
    if (rows) return
  }
}

/** Resolves once the claim has been prolonged. */
async function prolonged(client: Client): Promise<void> {
  for (;;) {
    const sql = 'SELECT lease_until - created_at AS ms FROM idempotency_keys WHERE key_id = ?'
    const ms = await bindings.DB.prepare(sql).bind(client.keyId).first<number>('ms')
    if (ms === 170_000) return
  }
}

function atWork(answer: Answer): void {
  expect(answer).toMatchObject({
    status: 409,
    json: { message: 'A request with this Idempotency-Key is still being processed.' },
  })
}

describe('an upload with an Idempotency-Key', () => {
  it('sent again gets the first answer, and is stored once', async () => {
    const client = await aClient()
    const first = await upload(client, [aField('outputFormat', 'mov'), aFile()], key)
    // The same request in another order, with a default spelled out.
    const again = [aFile(), aField('compressionQuality', '100'), aField('outputFormat', 'mov')]
    const second = await upload(client, again, key)
    expect(second.status).toBe(202)
    expect(second.text).toBe(first.text)
    expect(second.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await videosOf(client)).toBe(1)
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it.each([
    ['other bytes', [aFile(otherClip)]],
    ['another name', [aFile(clip, 'other.mp4')]],
    ['another option', [aFile(), aField('outputFormat', 'webm')]],
  ])('is refused with %s', async (_, parts) => {
    const client = await aClient()
    await upload(client, [aFile()], key)
    const answer = await upload(client, parts, key)
    expect(answer).toMatchObject({
      status: 409,
      json: { message: 'This Idempotency-Key was used with another request.' },
    })
    expect(await videosOf(client)).toBe(1)
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it('holds the key while it arrives', async () => {
    const client = await aClient()
    const { readable, finish } = inTwoHalves(formOf([aFile()]))
    const first = sendForm(client, readable, key)
    await claimed(client)
    const second = await upload(client, [aFile()], key)
    atWork(second)
    expect(Number(second.headers.get('Retry-After'))).toBe(120)
    await finish()
    expect((await first).status).toBe(202)
    expect((await upload(client, [aFile()], key)).text).toBe((await first).text)
  })

  it('keeps the key as long as it continues to arrive, even before the first part is full', async () => {
    const client = await aClient()
    const form = formOf([aFile(joined([clip, new Uint8Array(600_000)]))])
    const { readable, writable } = new FixedLengthStream(form.length)
    const writer = writable.getWriter()
    const first = sendForm(client, readable, key)
    await writer.write(form.slice(0, 1000))
    await claimed(client)
    advanceSeconds(50)
    await writer.write(form.slice(1000, -10))
    await prolonged(client)
    advanceSeconds(40)
    const second = await upload(client, [aFile()], key)
    atWork(second)
    expect(Number(second.headers.get('Retry-After'))).toBe(80)
    await writer.write(form.slice(-10))
    await writer.close()
    expect((await first).status).toBe(202)
  })

  it('that is refused leaves the key free', async () => {
    const client = await aClient()
    expect((await upload(client, [aFile('#EXTM3U\n')], key)).status).toBe(422)
    expect((await upload(client, [aField('combine', 'x'), aFile()], key)).status).toBe(400)
    expect((await upload(client, [aFile()], key)).status).toBe(202)
  })

  it('that seems dead holds the key for two minutes; if it continues, it finds the other video', async () => {
    const client = await aClient()
    const { readable, finish } = inTwoHalves(formOf([aFile()]))
    const first = sendForm(client, readable, key)
    await claimed(client)
    advanceSeconds(119)
    atWork(await upload(client, [aFile()], key))
    advanceSeconds(2)
    const second = await upload(client, [aFile()], key)
    expect(second.status).toBe(202)
    // The client was not slow; our side took so long.
    advanceSeconds(-121)
    await finish()
    expect((await first).text).toBe(second.text)
    expect(await videosOf(client)).toBe(1)
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it('wins only once among twenty', async () => {
    const client = await aClient()
    const sent = Array.from({ length: 20 }, () => upload(client, [aFile()], key))
    const answers = await Promise.all(sent)
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].every((status) => status === 202 || status === 409)).toBe(true)
    expect(new Set(answers.filter((one) => one.status === 202).map(({ text }) => text)).size).toBe(
      1,
    )
    expect(await videosOf(client)).toBe(1)
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it('shares its key with no create', async () => {
    const client = await aClient()
    const body = { fileUrl: 'https://media.example.com/a.mp4' }
    expect((await client.post('/v1/videos', body, key)).status).toBe(202)
    expect((await upload(client, [aFile()], key)).status).toBe(202)
    expect(await videosOf(client)).toBe(2)
  })
})
