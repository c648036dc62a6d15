import { describe, expect, it } from 'vitest'
import { aClient } from '../../support/worker/accounts.ts'
import { send, type Answer } from '../../support/worker/client.ts'
import { standInQueue } from '../../support/worker/job-queue.ts'
import { standInMediaWorkers } from '../../support/worker/media-workers.ts'
import { sourceUrl } from '../../support/worker/videos.ts'

standInMediaWorkers()
const queue = standInQueue()

const mebibyte = 1_048_576
const good = JSON.stringify({ fileUrl: sourceUrl })

async function create(body: BodyInit, type: string | null = 'application/json'): Promise<Answer> {
  const client = await aClient()
  const headers = type === null ? undefined : { 'Content-Type': type }
  return client.send('/v1/videos', { method: 'POST', body, ...(headers ? { headers } : {}) })
}

/** A 400 with one fault, and nothing stored or sent. */
async function faultOf(body: BodyInit, type?: string | null): Promise<unknown> {
  const answer = await create(body, type)
  expect(answer).toMatchObject({ status: 400, json: { error: 'ValidationError' } })
  expect(queue.current.sent).toEqual([])
  const details = answer.json['details'] as unknown[]
  expect(details).toHaveLength(1)
  return details[0]
}

const inBody = (message: string) => ({ field: 'body', message })

describe('readJson', () => {
  it('accepts application/json with any parameter, and types that end in +json', async () => {
    expect((await create(good, 'application/json; charset=utf-8')).status).toBe(202)
    expect((await create(good, 'Application/JSON')).status).toBe(202)
    expect((await create(good, 'application/vnd.api+json')).status).toBe(202)
  })

  it('refuses JSON that two parsers could read differently', async () => {
    expect(await faultOf(`\uFEFF${good}`)).toEqual(inBody('Must not begin with a byte order mark'))
    const cut = new TextEncoder().encode('{"fileUrl":"é"}').filter((byte) => byte !== 0xa9)
    expect(await faultOf(cut)).toEqual(inBody('Must be UTF-8 text'))
  })

  it('reads up to 1 MiB, to the byte', async () => {
    const padded = (size: number) => good + ' '.repeat(size - good.length)
    expect((await create(padded(mebibyte))).status).toBe(202)
    const over = await create(padded(mebibyte + 1))
    expect(over.status).toBe(413)
    expect(over.json).toEqual({
      error: 'PayloadTooLarge',
      message: 'The body may have at most 1048576 bytes.',
    })
  })

  it('counts the bytes of a body without a declared length', async () => {
    const stream = (size: number) =>
      new Blob([good, ' '.repeat(size - good.length)]).stream().pipeThrough(new TransformStream())
    expect((await create(stream(mebibyte))).status).toBe(202)
    expect((await create(stream(mebibyte + 1))).status).toBe(413)
  })
})

it('a body that is not used is read anyway, so that its client can read the answer', async () => {
  let left = 100
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(65_536))
      else controller.close()
    },
  })
  const headers = { Authorization: 'Bearer nobody', 'Content-Type': 'application/json' }
  const answer = await send('/v1/videos', { method: 'POST', body, headers })
  expect(answer.status).toBe(401)
  expect(left).toBe(-1)
})
