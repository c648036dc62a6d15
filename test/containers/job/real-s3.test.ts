import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import { AwsClient } from 'aws4fetch'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fetchInputs } from '../../../containers/job/fetch/fetch-inputs.ts'
import { transferDefaults } from '../../../containers/job/fetch/transfer-limits.ts'
import { uploadOutput } from '../../../containers/job/report/upload-output.ts'
import type { OutputGrant } from '../../../worker/contract/job/media-job.ts'
import { AddressSigner } from '../../../worker/store/objects/address-signer.ts'
import { listen } from '../../support/node/listen.ts'
import { ownService } from '../../support/containers/own-service.ts'
import { aFolder } from '../../support/containers/tool-context.ts'
import { directoryForAll } from '../../support/node/directories.ts'

/** The only account this server knows. */
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
const owner = new AwsClient({ ...credentials, service: 's3', region: 'auto' })

let server: S3rver
const directory = directoryForAll()
let bucketUrl: string
let signer: AddressSigner

beforeAll(async () => {
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    vhostBuckets: false,
    directory,
    configureBuckets: [{ name: 'spool-media' }],
  })
  const { port } = await server.run()
  bucketUrl = `http://127.0.0.1:${port}/spool-media`
  signer = new AddressSigner({ s3: { endpoint: bucketUrl, ...credentials }, maxJobMs: 3_600_000 })
})

afterAll(async () => {
  await server.close()
})

async function put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const answer = await owner.fetch(`${bucketUrl}/${key}`, { method: 'PUT', body: bytes })
  expect(answer.status).toBe(200)
}

/** Does what the Worker does through its binding. */
async function begin(key: string): Promise<string> {
  const answer = await owner.fetch(`${bucketUrl}/${key}?uploads`, { method: 'POST' })
  return /<UploadId>([^<]+)</.exec(await answer.text())?.[1] ?? ''
}

async function complete(
  key: string,
  uploadId: string,
  parts: { partNumber: number; etag: string }[],
) {
  const listed = parts.map(
    ({ partNumber, etag }) =>
      `<Part><PartNumber>${partNumber}</PartNumber><ETag>${etag}</ETag></Part>`,
  )
  const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`
  return owner.fetch(`${bucketUrl}/${key}?uploadId=${uploadId}`, { method: 'POST', body })
}

async function fetchSource(url: string): Promise<Buffer> {
  const folder = await aFolder()
  const [name = ''] = await fetchInputs({
    inputs: [{ field: 'uploadId', url, origin: 'storage' }],
    folder,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    limits: {
      ...transferDefaults,
      totalMs: 60_000,
      backoffMs: [1, 1],
      allowedHosts: new Set(),
      own: ownService('https://api.spool.example'),
      maxSourceBytes: 1e9,
      maxJobInputBytes: 1e9,
      roomBytes: 1e9,
    },
  })
  return readFile(path.join(folder, name))
}

const changed = (url: string) => url.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
/** Signatures often break on characters that can be encoded in more than one way. */
const key = "uploads/u_Zb4nR8xK2mQ7tW1c/a source + (1) 'é'"

describe('an S3 server that is not the local one', () => {
  it('gives a media worker the source at its address, whole and in part', async () => {
    const bytes = Uint8Array.from(randomBytes(300_000))
    await put('uploads/u_1/source', bytes)
    const url = await signer.read('uploads/u_1/source')
    expect((await fetchSource(url)).equals(bytes)).toBe(true)
    const part = await fetch(url, { headers: { Range: 'bytes=1000-1999' } })
    expect(part.status).toBe(206)
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(1000, 2000))
  })

  it('accepts an output in parts from a media worker, and joins them', async () => {
    const bytes = randomBytes(250_000)
    const target = { key: 'videos/v_1/out/1/final.mp4', sizeBytes: bytes.length }
    const uploadId = await begin(target.key)
    const parts = [1, 2, 3].map(async (partNumber) => ({
      partNumber,
      url: await signer.writePart({ ...target, uploadId }, partNumber),
    }))
    const grant: OutputGrant = { partSizeBytes: 100_000, parts: await Promise.all(parts) }
    const worker = await listen((_request, response) => response.end(JSON.stringify(grant)))
    onTestFinished(worker.close)
    const file = path.join(await aFolder(), 'final.mp4')
    await writeFile(file, bytes)
    const output = await uploadOutput({
      job: { fence: 1, reports: { url: worker.origin, key: 'key', heartbeatSeconds: 10 } },
      file,
      output: { kind: 'final', extension: 'mp4', contentType: 'video/mp4' },
      signal: new AbortController().signal,
      backoffMs: [],
      onProgress: () => undefined,
    })
    expect((await complete(target.key, uploadId, output.parts)).status).toBe(200)
    expect((await fetchSource(await signer.read(target.key))).equals(bytes)).toBe(true)
  })

  it('refuses a changed address, for reading and for writing', async () => {
    await put('uploads/u_2/source', new Uint8Array(10))
    const url = await signer.read('uploads/u_2/source')
    expect((await fetch(changed(url))).status).toBe(403)
    expect((await fetch(url.replace('u_2', 'u_1'))).status).toBe(403)
    expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403)
    await expect(fetchSource(changed(url))).rejects.toMatchObject({ reason: 'storage_failed' })
    const uploadId = await begin('out')
    const part = await signer.writePart({ key: 'out', uploadId }, 1)
    const otherPart = part.replace('partNumber=1', 'partNumber=2')
    expect((await fetch(otherPart, { method: 'PUT', body: 'x' })).status).toBe(403)
    expect((await fetch(part, { method: 'PUT', body: 'x' })).status).toBe(200)
  })

  it('agrees on the signature of a key with every kind of character', async () => {
    await put(key.split('/').map(encodeURIComponent).join('/'), new Uint8Array([7]))
    expect(await fetchSource(await signer.read(key))).toEqual(Buffer.from([7]))
  })
})
