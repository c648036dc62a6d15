import { createHash } from 'node:crypto'
import { PlainAnswer } from '../engine/plain-response.ts'
import type { World } from '../engine/world.ts'
import { faultOfSignature } from '../platform/bucket-signature.ts'
import type { Host, Sent } from '../platform/network.ts'

type Upload = { path: string; parts: Map<number, string> }
type Listener = {
  /** Called when an object has arrived in a customer's bucket. */
  arrived(path: string): void
}

const hourMs = 3_600_000
/** The name of a bucket that forgets every upload in parts. */
export const forgetful = 'forgetful'
/** The secrets that customers give the service for their buckets. */
export const secrets = ['simulated-secret', 'a-secret-that-nobody-reads'] as const
/** The documented number of tries. */
const mostTimes = 8
/** How often a bucket loses the end of a result although it confirms it. */
const torn = 0.03

/** The buckets of customers, which speak S3. */
export class Storages {
  /** The content at each address. */
  readonly objects = new Map<string, string>()
  readonly #uploads = new Map<string, Upload>()
  readonly #torn = new Set<string>()
  /** How often each upload of the forgetful bucket was begun. */
  readonly #forgotten = new Map<string, number>()
  readonly #world: World
  readonly #listener: Listener
  /** Whether uploads in parts are refused; whole files are still accepted. */
  refusesParts = false
  /** Whether everything is refused. */
  refusesAll = false
  /** Whether no write may lose its end. */
  keepsWhole = false
  /** The beginnings of addresses at which the next file arrives with other bytes than were sent, which the bucket does not notice. */
  readonly spoils = new Set<string>()
  /** In some worlds, this host does not answer after the first hour. */
  readonly #gone: string | undefined
  readonly #goneAt: number
  #count = 0
  #asked = 0

  constructor(world: World, listener: Listener) {
    this.#world = world
    this.#listener = listener
    this.#gone = world.draw('a storage is gone') < 0.5 ? 'storage-of-ben.example.com' : undefined
    this.#goneAt = world.now + hourMs
  }

  /** Uploads in parts that were begun, and neither completed nor dropped. */
  get unfinished(): string[] {
    return [...this.#uploads.values()].map(({ path }) => path)
  }

  readonly answer: Host = async (sent) => {
    const { faults, now } = this.#world
    const { host, pathname, searchParams } = new URL(sent.url)
    const fault = faultOfSignature(sent, secrets)
    if (fault !== undefined) this.#world.break(`${sent.method} ${host}${pathname} came ${fault}`)
    const key = `${host} ${pathname} ${++this.#asked}`
    const isGone = host === this.#gone && now > this.#goneAt
    if (isGone || this.refusesAll) return refusal(403, 'AccessDenied')
    if (faults.strikes('storage hangs', key)) return 'never'
    // A bucket that is down fails for the whole hour.
    if (faults.strikes('storage fails', `${host} ${Math.floor(now / hourMs)}`)) {
      return refusal(503, 'SlowDown')
    }
    const path = `${host}${pathname}`
    if (searchParams.has('uploads')) return this.#begin(path)
    const uploadId = searchParams.get('uploadId')
    if (uploadId === null) return this.#answerWhole(path, sent)
    if (pathname.startsWith(`/${forgetful}/`) || faults.strikes('storage forgets', key))
      this.#uploads.delete(uploadId)
    return this.#answerPart(uploadId, Number(searchParams.get('partNumber')), sent)
  }

  #begin(path: string): Response {
    const times = (this.#forgotten.get(path) ?? 0) + 1
    if (path.includes(`/${forgetful}/`)) this.#forgotten.set(path, times)
    if (times > mostTimes) this.#world.break(`${path} is sent once more, after ${mostTimes} times`)
    const uploadId = `theirs-${++this.#count}`
    this.#uploads.set(uploadId, { path, parts: new Map() })
    return new PlainAnswer(`<UploadId>${uploadId}</UploadId>`)
  }

  #answerWhole(path: string, { method, text }: Sent): Response {
    if (method === 'PUT') {
      return new PlainAnswer(null, { headers: { ETag: etagOf(this.#write(path, text)) } })
    }
    const found = this.objects.get(path)
    if (found === undefined) return refusal(404, 'NoSuchKey')
    if (method === 'DELETE') {
      this.objects.delete(path)
      return new PlainAnswer(null, { status: 204 })
    }
    const headers = { ETag: etagOf(found), 'Content-Length': `${found.length}` }
    return new PlainAnswer(method === 'HEAD' ? null : found, { headers })
  }

  #answerPart(uploadId: string, number: number, { method, text }: Sent): Response {
    const upload = this.#uploads.get(uploadId)
    if (!upload) return refusal(404, 'NoSuchUpload')
    if (method === 'DELETE') {
      this.#uploads.delete(uploadId)
      return new PlainAnswer(null, { status: 204 })
    }
    if (method === 'PUT') {
      if (this.refusesParts) return refusal(503, 'SlowDown')
      upload.parts.set(number, text)
      return new PlainAnswer(null, { headers: { ETag: etagOf(text) } })
    }
    const told = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)]
    const parts = told.map(([, part, etag = '']) => {
      const stored = upload.parts.get(Number(part))
      return stored !== undefined && etagOf(stored) === etag.replaceAll('&quot;', '"')
        ? stored
        : undefined
    })
    if (parts.includes(undefined)) return refusal(400, 'InvalidPart')
    this.#uploads.delete(uploadId)
    return new PlainAnswer(`<ETag>${etagOf(this.#write(upload.path, parts.join('')))}</ETag>`)
  }

  /** Stores a text and returns what the bucket takes for it. The first write of a result may lose its end. */
  #write(path: string, text: string): string {
    if (this.#isSpoiled(path)) {
      this.objects.set(path, text.replace(/.$/s, '?'))
      this.#world.history.note('storage', `has other bytes of ${path}`)
      this.#listener.arrived(path)
      return text
    }
    const mayTear = !this.keepsWhole && !this.#torn.has(path) && path.includes('/v_')
    const isTorn = mayTear && this.#world.draw(`tears ${path}`) < torn
    const stored = isTorn ? text.slice(0, -1) : text
    if (isTorn) this.#torn.add(path)
    this.objects.set(path, stored)
    this.#world.history.note('storage', `has ${isTorn ? 'a part of ' : ''}${path}`)
    this.#listener.arrived(path)
    return stored
  }

  #isSpoiled(path: string): boolean {
    const place = [...this.spoils].find((begin) => path.startsWith(begin))
    return place !== undefined && this.spoils.delete(place)
  }
}

function refusal(status: number, code: string): Response {
  return new PlainAnswer(`<Error><Code>${code}</Code></Error>`, { status })
}

function etagOf(text: string): string {
  return `"${createHash('md5').update(text).digest('hex')}"`
}
