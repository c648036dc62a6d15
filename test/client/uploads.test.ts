import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { SpoolError } from '../../client/src/errors.ts'
import { Uploads, type UploadProgress } from '../../client/src/resources/uploads.ts'
import { AnsweringServer, answerJson, type Asked } from './support/answering-server.ts'
import { transportTo } from './support/transport-to.ts'
import { directoryForEach } from '../support/node/directories.ts'

const partSize = 10
const content = new TextEncoder().encode('0123456789abcdefghijABCDE')

/** Takes uploads as the service does, and can be told to fail. */
class UploadService {
  server!: AnsweringServer
  announced: unknown
  readonly parts = new Map<number, string>()
  /** What the next requests for a part are answered with instead. */
  failures: number[] = []

  async start(): Promise<void> {
    this.server = await AnsweringServer.start((asked, response) => {
      const { method, url } = asked
      if (url === '/v1/uploads') {
        this.announced = JSON.parse(asked.body.toString())
        return answerJson(response, 201, this.#record())
      }
      if (method === 'GET') return answerJson(response, 200, this.#record())
      if (url.endsWith('/complete'))
        return answerJson(response, 200, { uploadId: 'u_1', status: 'ready' })
      const status = this.failures.shift()
      if (status === undefined) {
        this.#take(asked)
        return answerJson(response, 200, {})
      }
      if (status === 0) response.destroy()
      else answerJson(response, status, { error: 'InternalError', message: `No: ${status}.` })
    })
  }

  #record() {
    const parts = [1, 2, 3]
      .filter((partNumber) => !this.parts.has(partNumber))
      .map((partNumber) => ({
        partNumber,
        url: `${this.server.origin}/parts/secret-${partNumber}`,
      }))
    return { uploadId: 'u_1', status: 'open', sizeInBytes: content.length, partSize, parts }
  }

  #take({ url, body, headers }: Asked): void {
    expect(headers.authorization).toBeUndefined()
    expect(headers['content-length']).toBe(String(body.length))
    this.parts.set(Number(url.at(-1)), body.toString())
  }
}

let service: UploadService
const folder = directoryForEach()
let uploads: Uploads
let pauses: number[]

beforeEach(async () => {
  service = new UploadService()
  await service.start()
  const line = transportTo(service.server.origin)
  uploads = new Uploads(line.transport)
  pauses = line.pauses
})

const whole = [
  [1, '0123456789'],
  [2, 'abcdefghij'],
  [3, 'ABCDE'],
]
const received = () => [...service.parts].sort(([a], [b]) => a - b)

async function aFile(name: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, content)
  return file
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield content.subarray(0, 3)
  yield content.subarray(3, 3)
  yield content.subarray(3, 24)
  yield content.subarray(24)
}

describe('an upload', () => {
  it('sends a file by its path', async () => {
    const file = await aFile('My talk.mp4')
    expect(await uploads.send(file)).toMatchObject({ uploadId: 'u_1', status: 'ready' })
    expect(received()).toEqual(whole)
    expect(service.announced).toEqual({ fileName: 'My talk.mp4', sizeInBytes: 25 })
  })

  it('sends a file by its URL', async () => {
    await uploads.send(pathToFileURL(await aFile('100% ü.mp4')))
    expect(received()).toEqual(whole)
    expect(service.announced).toMatchObject({ fileName: '100% ü.mp4' })
  })

  it('sends a File with its name and type', async () => {
    await uploads.send(new File([content], 'clip.mov', { type: 'video/quicktime' }))
    expect(received()).toEqual(whole)
    expect(service.announced).toMatchObject({
      fileName: 'clip.mov',
      contentType: 'video/quicktime',
    })
  })

  it('sends bytes', async () => {
    await uploads.send(content, { fileName: 'bytes.mp4' })
    expect(received()).toEqual(whole)
    expect(service.announced).toMatchObject({ fileName: 'bytes.mp4' })
  })

  it('sends a stream whose pieces have other sizes than the parts', async () => {
    await uploads.send(pieces(), { sizeInBytes: 25 })
    expect(received()).toEqual(whole)
    service.parts.clear()
    await uploads.send(new Blob([content]).stream(), { sizeInBytes: 25 })
    expect(received()).toEqual(whole)
  })

  it('sends only what is missing when it continues', async () => {
    service.parts.set(1, '0123456789').set(3, 'ABCDE')
    const progress: UploadProgress[] = []
    const onProgress = (now: UploadProgress) => progress.push(now)
    await uploads.send(pieces(), { uploadId: 'u_1', sizeInBytes: 25, onProgress })
    expect(received()).toEqual(whole)
    expect(service.server.asked.filter(({ method }) => method === 'PUT')).toHaveLength(1)
    expect(progress).toEqual([
      { uploadId: 'u_1', sentBytes: 15, totalBytes: 25 },
      { uploadId: 'u_1', sentBytes: 25, totalBytes: 25 },
    ])
  })

  it('does not continue with another file', async () => {
    const other = uploads.send(new Uint8Array(24), { uploadId: 'u_1' })
    await expect(other).rejects.toThrow('Upload u_1 is of a file of 25 bytes; this one has 24.')
  })

  it('sends a part again that was lost, refused as too slow, or met a fault', async () => {
    service.failures = [0, 400, 503]
    await uploads.send(content, { parallel: 1 })
    expect(received()).toEqual(whole)
    expect(pauses).toEqual([500, 1000, 2000])
  })

  it('stops with the first part that is refused for good, and does not show its address', async () => {
    service.failures = [403]
    const error = await uploads.send(content, { parallel: 1 }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 403, message: 'No: 403.' })
    expect(service.parts.size).toBe(0)
    expect(service.server.asked.at(-1)?.url).toBe('/parts/secret-1')
  })

  it('stops when it is aborted, and sends nothing more', async () => {
    const controller = new AbortController()
    const onProgress = ({ sentBytes }: UploadProgress) => {
      if (sentBytes > 0) controller.abort(new Error('enough'))
    }
    const sent = uploads.send(content, { parallel: 1, signal: controller.signal, onProgress })
    await expect(sent).rejects.toThrow('enough')
    expect(service.parts.size).toBe(1)
  })

  it.each([
    [
      'a stream that ends early',
      async () => uploads.send(pieces(), { sizeInBytes: 30 }),
      'ended after 25 of 30',
    ],
    [
      'a stream that is longer',
      async () => uploads.send(pieces(), { sizeInBytes: 20 }),
      'longer than its sizeInBytes, 20',
    ],
    ['a stream of unknown length', async () => uploads.send(pieces()), 'Say the sizeInBytes'],
    [
      'a web address',
      async () => uploads.send('https://example.com/a.mp4'),
      'videos.create({ fileUrl })',
    ],
    ['a folder', async () => uploads.send(folder), 'is a folder'],
    ['a file that does not exist', async () => uploads.send(`${folder}/none.mp4`), 'ENOENT'],
  ])('refuses %s with a clear error', async (_, send, message) => {
    await expect(send()).rejects.toThrow(message)
  })

  it('refuses an empty file before it asks the service', async () => {
    const file = path.join(folder, 'empty.mp4')
    await writeFile(file, '')
    await expect(uploads.send(file)).rejects.toThrow(SpoolError)
    expect(service.server.asked).toHaveLength(0)
  })
})
