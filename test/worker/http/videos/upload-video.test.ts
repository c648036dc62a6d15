import { describe, expect, it, vi } from 'vitest'
import { limits } from '../../../../worker/contract/limits.ts'
import { videoAccepted } from '../../../../worker/contract/video/video-record.ts'
import { aClient } from '../../../support/worker/accounts.ts'
import { bindings, prototypeOf } from '../../../support/worker/bindings.ts'
import { send, type Answer, type Client } from '../../../support/worker/client.ts'
import {
  aField,
  aFile,
  boundary,
  clip,
  formOf,
  leftBehind,
  nothing,
  sendForm,
  upload,
  uploadPath,
} from '../../../support/worker/upload-form.ts'
import { rowOf } from '../../../support/worker/videos.ts'
import { eventually } from '../../../support/node/eventually.ts'
import { standInForAll } from '../../../support/worker/stand-ins.ts'

const { queue } = standInForAll()
const maxBytes = 33_554_432

async function storedBytes(answer: Answer): Promise<Uint8Array> {
  const { source } = await rowOf(answer)
  const object = await bindings.BUCKET.get(`uploads/${source?.uploadId ?? ''}/source`)
  return new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer(0))
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return String(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

function details(answer: Answer): unknown {
  return answer.json['details']
}

/** Bytes that never repeat, with the beginning of a clip. */
function longClip(length: number): Uint8Array<ArrayBuffer> {
  const words = new Uint32Array(Math.ceil(length / 4))
  for (let i = 0, x = 1; i < words.length; i++) words[i] = x = Math.imul(x, 1664525) + 1013904223
  const bytes = new Uint8Array(words.buffer, 0, length)
  bytes.set(clip)
  return bytes
}

/** Sends the body in pieces and without a length. */
function streamed(bytes: Uint8Array, pieceBytes = 65_536): ReadableStream {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + pieceBytes))
      at += pieceBytes
    },
  })
}

describe('uploadVideo', () => {
  it('answers 202 like a create once the file, the video and its job are stored', async () => {
    const client = await aClient()
    const answer = await upload(client, [aFile()])
    const { videoId, jobId } = videoAccepted.parse(answer.json)
    expect(answer.status).toBe(202)
    expect(answer.headers.get('Location')).toBe(`/v1/videos/${videoId}`)
    expect(answer.json['message']).toBe('The video is queued for processing.')
    expect(await rowOf(answer)).toMatchObject({ name: 'talk', status: 'queued' })
    expect(await storedBytes(answer)).toEqual(clip)
    expect(queue.current.sentFor(jobId)).toHaveLength(1)
  })

  it('takes every option of a create, before the file and after it', async () => {
    const client = await aClient()
    const before = [
      aField('removeSilence', 'true'),
      aField('compressionQuality', '80'),
      aField('removeSegments', '[{"startTime":1,"endTime":2}]'),
      aField('metadata', '{"order":17}'),
    ]
    const after = [
      aField('videoName', 'Grüße 🎬'),
      aField('aspectRatio', '9:16'),
      aField('webhookUrl', 'https://hooks.example.com/spool'),
      aField('elements', '[{"type":"image","url":"https://media.example.com/logo.png"}]'),
      aField('_charset_', 'UTF-8'),
    ]
    const row = await rowOf(await upload(client, [...before, aFile(), ...after]))
    expect(row.name).toBe('Grüße 🎬')
    expect(row.request).toMatchObject({
      removeSilence: true,
      compressionQuality: 80,
      removeSegments: [{ startTime: 1, endTime: 2 }],
      metadata: { order: 17 },
      aspectRatio: '9:16',
      webhookUrl: 'https://hooks.example.com/spool',
      elements: [{ type: 'image', url: 'https://media.example.com/logo.png' }],
      combine: false,
      outputFormat: 'mp4',
    })
  })

  it('echoes the options and no address of the file', async () => {
    const client = await aClient()
    const answer = await upload(client, [aFile(), aField('outputFormat', 'webm')])
    const { videoId } = videoAccepted.parse(answer.json)
    const canceled = await client.post(`/v1/videos/${videoId}/cancel`)
    expect(canceled.json).toMatchObject({ outputFormat: 'webm', combine: false })
    expect(canceled.text).not.toMatch(/fileUrl|uploads\/|uploadId|X-Amz/)
  })

  it('stores a file of exactly the limit byte for byte, in parts', async () => {
    const bytes = longClip(maxBytes)
    const answer = await upload(await aClient(), [aFile(bytes)])
    expect(answer.status).toBe(202)
    const stored = await storedBytes(answer)
    expect(await sha256(Uint8Array.from(stored))).toBe(await sha256(bytes))
  })
})

describe('an upload that is too large', () => {
  it('is refused by its length before its body or its type is looked at', async () => {
    const client = await aClient()
    // Not one byte of it ever comes.
    const body = new FixedLengthStream(maxBytes + 5 * 1024 * 1024).readable
    const answer = await sendForm(client, body, { 'Content-Type': 'text/plain' })
    expect(answer).toMatchObject({ status: 413, json: { error: 'PayloadTooLarge' } })
    expect(details(answer)).toEqual([
      { field: 'file', message: 'Must have at most 33554432 bytes' },
    ])
  })

  it('without a length, is refused on the way and leaves nothing in the bucket', async () => {
    const client = await aClient()
    const form = formOf([aFile(longClip(maxBytes + 1))])
    const answer = await sendForm(client, streamed(form, 1_000_000))
    expect(answer).toMatchObject({ status: 413, json: { error: 'PayloadTooLarge' } })
    expect(await leftBehind(client)).toEqual(nothing)
    expect(queue.current.sent).toEqual([])
  })
})

describe('the fields of an upload', () => {
  it.each([
    [
      'a field twice',
      [aField('outputFormat', 'mp4'), aField('outputFormat', 'mov'), aFile()],
      [{ field: 'outputFormat', message: 'Must be sent once, not twice' }],
    ],
    [
      'an unknown field, after the file',
      [aFile(), aField('removeSilense', 'true')],
      [{ field: 'removeSilense', message: 'Unknown field; did you mean removeSilence?' }],
    ],
    [
      'a webhook into a private network',
      [aFile(), aField('webhookUrl', 'https://10.0.0.1/hook')],
      [{ field: 'webhookUrl', message: 'Must not lead to a private or local address' }],
    ],
  ])('are refused by name when there is %s', async (_, parts, expected) => {
    const client = await aClient()
    const answer = await upload(client, parts)
    expect(answer.status, answer.text).toBe(400)
    expect(details(answer)).toEqual(expected)
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it('are refused all at once when they come before the file, and nothing is stored', async () => {
    const begin = vi.spyOn(prototypeOf(bindings.BUCKET), 'createMultipartUpload')
    const faulty = [aField('removeSilence', 'TRUE'), aField('compressionQuality', '1e2')]
    const answer = await upload(await aClient(), [...faulty, aField('elements', '['), aFile()])
    expect(answer.status).toBe(400)
    const fields = (details(answer) as { field: string }[]).map(({ field }) => field)
    expect(fields.sort()).toEqual(['compressionQuality', 'elements', 'removeSilence'])
    expect(begin).not.toHaveBeenCalled()
    begin.mockRestore()
  })

  it('name every fault when the file is missing as well', async () => {
    const answer = await upload(await aClient(), [aField('combine', 'true')])
    expect(details(answer)).toMatchObject([{ field: 'combine' }, { field: 'file' }])
  })

  it('may be sent as files themselves, as browsers send JSON', async () => {
    const part = { ...aField('metadata', '{"a":1}'), fileName: 'blob' }
    const answer = await upload(await aClient(), [part, aFile()])
    expect((await rowOf(answer)).request.metadata).toEqual({ a: 1 })
  })

  it('of ten megabytes are refused without reading them all', async () => {
    const answer = await upload(await aClient(), [aField('videoName', 'x'.repeat(10_000_000))])
    expect(answer.status).toBe(400)
    expect(details(answer)).toEqual([
      {
        field: 'body',
        message: `Must have at most ${limits.formTextBytes} bytes of text in its fields`,
      },
    ])
  })
})

it('permission to upload is checked before the body has come', async () => {
  const body = new FixedLengthStream(100).readable
  expect((await send(uploadPath, { method: 'POST', body })).status).toBe(401)
})

describe('the body of an upload', () => {
  it('must not be missing, empty or compressed', async () => {
    const client: Client = await aClient()
    const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` }
    const none = await client.send(uploadPath, { method: 'POST', headers: type })
    expect(details(none)).toEqual([{ field: 'body', message: 'Must not be empty' }])
    expect(details(await sendForm(client, ''))).toEqual(details(none))
    const zipped = await sendForm(client, formOf([aFile()]), { 'Content-Encoding': 'br' })
    expect(details(zipped)).toMatchObject([{ field: 'Content-Encoding' }])
  })

  it('leaves nothing when it is cut off, wherever that is', async () => {
    const client = await aClient()
    const form = formOf([aField('outputFormat', 'mov'), aFile(longClip(11_000_000))])
    for (const length of [0.001, 0.5, 0.9999].map((share) => Math.floor(form.length * share))) {
      const answer = await sendForm(client, form.slice(0, length))
      expect(answer.status).toBe(400)
      expect(details(answer)).toEqual([
        { field: 'body', message: 'Must end with its closing boundary, but was cut off before it' },
      ])
    }
    expect(await leftBehind(client)).toEqual(nothing)
  })

  it('leaves nothing when the connection breaks', async () => {
    const client = await aClient()
    const form = formOf([aFile(longClip(8_000_000))])
    let at = 0
    const broken = new ReadableStream({
      pull(controller) {
        if (at > 6_000_000) return controller.error(new Error('connection reset'))
        controller.enqueue(form.slice(at, (at += 100_000)))
      },
    })
    await sendForm(client, broken).catch(() => undefined)
    await eventually(async () => expect(await leftBehind(client)).toEqual(nothing))
  })

  it('is a StorageError if R2 refuses to store it, and leaves nothing', async () => {
    const client = await aClient()
    const begin = vi.spyOn(prototypeOf(bindings.BUCKET), 'createMultipartUpload')
    begin.mockRejectedValue(new Error('put: We encountered an internal error. (10001)'))
    const answer = await upload(client, [aFile()])
    begin.mockRestore()
    expect(answer).toMatchObject({ status: 500, json: { error: 'StorageError' } })
    expect(await leftBehind(client)).toEqual(nothing)
  })
})
