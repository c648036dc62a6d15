import { createHash } from 'node:crypto'
import { here } from '../engine/life.ts'
import type { Ways, World } from '../engine/world.ts'
import { countUse, holdLimit } from './limits.ts'
import { SortedKeys } from './sorted-keys.ts'

type Stored = {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
  uploaded: Date
  httpMetadata: Record<string, string>
  customMetadata: Record<string, string>
}
type Options = {
  httpMetadata?: Record<string, string>
  customMetadata?: Record<string, string>
  sha256?: ArrayBuffer
  onlyIf?: { etagMatches?: string; etagDoesNotMatch?: string }
}
type Upload = {
  key: string
  options: Options
  parts: Map<number, Uint8Array<ArrayBuffer>>
  begunAt: number
}
type BucketListener = {
  wrote(key: string): unknown
  /** Called before the object is removed. */
  removes(key: string): void
}
type Listing = { prefix?: string; limit?: number; cursor?: string; startAfter?: string }

const internalError = (): Error =>
  new Error('get: We encountered an internal error. Please try again. (10001)')

const ways: Ways = {
  fails: 'bucket fails',
  unanswered: 'bucket unanswered',
  slow: 'bucket slow',
  late: 'bucket answered late',
  outlived: 'sender dies',
  ms: 20,
  error: internalError,
}
const waysOfChanges: Ways = { ...ways, changes: true }

/** How much more often a removal by the sweep fails than a write to the archive. */
const swept = 6
const unfinishedKeptMs = 7 * 86_400_000
/** Longer than a lease. */
const failingMs = 100_000

/** Shorter than a sweep may take. */
const heldBackMs = 10 * 60_000

/** R2, in memory. */
export class Bucket {
  readonly objects = new Map<string, Stored>()
  readonly #keys = new SortedKeys()
  readonly #uploads = new Map<string, Upload>()
  readonly #world: World
  readonly #listener: BucketListener
  #count = 0
  /** Objects whose first removal failed. */
  readonly #refused = new Set<string>()
  #failsUntil = 0
  /** Whether it can only be read. */
  isReadOnly = false
  /** Objects of which a write is held back, and what lets it pass once it has come. */
  readonly #heldBack = new Map<string, (() => void) | undefined>()
  /** Whether the process that made this call has died since. */
  #isLate = false

  constructor(world: World, listener: BucketListener) {
    this.#world = world
    this.#listener = listener
  }

  /** What the service is given as `env.BUCKET`. */
  readonly binding = {
    head: async (key: string) => this.#ask(`head ${key}`, key, () => this.#headOf(key)),
    get: async (key: string, options?: { range?: { offset?: number; length?: number } }) =>
      this.#ask(`get ${key}`, key, () => this.#bodyOf(key, options?.range)),
    put: async (key: string, value: unknown, options: Options = {}) =>
      this.#ask(`put ${key}`, key, () => {
        const isHeldBack = this.#heldBack.has(key) && !this.#heldBack.get(key)
        const put = () => this.#put(key, bytesOf(value), options)
        return isHeldBack ? this.#afterTheNext(key).then(put) : put()
      }),
    delete: async (keys: string | readonly string[]) => {
      const all = typeof keys === 'string' ? [keys] : keys
      holdLimit('objectsDeleted', all.length, (broken) => this.#world.break(broken))
      return this.#ask(`delete ${all.join()}`, '', () => {
        for (const key of all) this.#remove(key)
      })
    },
    list: async (asked: Listing = {}) =>
      this.#ask(`list ${asked.prefix ?? ''}`, '', () => this.#list(asked)),
    createMultipartUpload: async (key: string, options: Options = {}) =>
      this.#ask(`begin ${key}`, key, () => {
        const uploadId = `upload-${++this.#count}`
        this.#uploads.set(uploadId, { key, options, parts: new Map(), begunAt: this.#world.now })
        return this.#upload(key, uploadId)
      }),
    resumeMultipartUpload: (key: string, uploadId: string) => this.#upload(key, uploadId),
  }

  #put(key: string, bytes: Uint8Array<ArrayBuffer>, options: Options) {
    const { sha256, onlyIf } = options
    if (!this.#isAsWanted(key, onlyIf)) return null
    if (sha256 && hexOf(sha256) !== hexOf(digest(bytes))) throw new Error('put: (10037)')
    this.#write(key, bytes, options)
    return this.#headOf(key)
  }

  /** The next write of this object arrives only when another one has arrived, or after a long time. */
  holdBack(key: string): void {
    this.#heldBack.set(key, undefined)
  }

  /** Whether a write has come that does not arrive yet; who has sent it waits. */
  get holdsBack(): boolean {
    return [...this.#heldBack.values()].some((passes) => passes !== undefined)
  }

  async #afterTheNext(key: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#heldBack.set(key, resolve)
    this.#world.loop.in(heldBackMs, resolve)
    await promise
    this.#heldBack.delete(key)
  }

  /** Stores a part that arrives at its signed address. */
  putPart(key: string, uploadId: string, part: { number: number; bytes: Uint8Array<ArrayBuffer> }) {
    const upload = this.#uploads.get(uploadId)
    if (upload?.key !== key) return undefined
    upload.parts.set(part.number, part.bytes)
    return etagOf(part.bytes)
  }

  /** Stores what an attempt has left behind that died before it could report it. */
  leave(key: string, text: string): void {
    this.#write(key, bytesOf(text), {})
  }

  /** Removes an object as if by hand. */
  lose(key: string): void {
    this.objects.delete(key)
    this.#keys.remove(key)
  }

  /** Uploads in parts that were neither completed nor aborted. R2 drops them after a week. */
  get unfinished(): { key: string; begunAt: number }[] {
    return [...this.#uploads.values()].filter(
      ({ begunAt }) => begunAt > this.#world.now - unfinishedKeptMs,
    )
  }

  #upload(key: string, uploadId: string) {
    return {
      key,
      uploadId,
      uploadPart: async (number: number, value: unknown) =>
        this.#ask(`part ${key}`, key, async () => {
          const bytes = value instanceof ReadableStream ? await allOf(value) : bytesOf(value)
          const etag = this.putPart(key, uploadId, { number, bytes })
          if (etag === undefined) throw noSuchUpload()
          return { partNumber: number, etag }
        }),
      complete: async (parts: readonly { partNumber: number; etag: string }[]) =>
        this.#ask(`complete ${key}`, key, () => this.#complete(uploadId, parts)),
      abort: async () =>
        this.#ask(`abort ${key}`, key, () => {
          if (!this.#uploads.delete(uploadId)) throw noSuchUpload()
        }),
    }
  }

  /** From the next completion of an output on, completions fail for a while. */
  failSoon(): void {
    this.#failsUntil = Infinity
  }

  #complete(uploadId: string, parts: readonly { partNumber: number; etag: string }[]) {
    const upload = this.#uploads.get(uploadId)
    if (!upload) throw noSuchUpload()
    const { now } = this.#world
    if (upload.key.startsWith('videos/') && now < this.#failsUntil) {
      this.#failsUntil = Math.min(this.#failsUntil, now + failingMs)
      throw internalError()
    }
    const bytes = parts.map(({ partNumber, etag }) => {
      const part = upload.parts.get(partNumber)
      if (!part || etagOf(part) !== etag) throw new Error('complete: no such part. (10025)')
      return part
    })
    if (parts.some(({ partNumber }, i) => partNumber <= (parts[i - 1]?.partNumber ?? 0)))
      throw new Error('complete: the parts are not in order. (10047)')
    this.#uploads.delete(uploadId)
    if (this.#world.faults.strikes('upload lost', upload.key)) throw noSuchUpload()
    // The last part is missing: a reader sees it by the size.
    const isTorn = this.#world.faults.strikes('upload torn', upload.key)
    this.#write(upload.key, joined(isTorn ? bytes.slice(0, -1) : bytes), upload.options)
    return this.#headOf(upload.key)
  }

  #isAsWanted(key: string, { etagMatches, etagDoesNotMatch }: Options['onlyIf'] = {}): boolean {
    const etag = this.objects.get(key)?.etag
    if (etagDoesNotMatch === '*' && etag !== undefined) return false
    return etagMatches === undefined || etagMatches === etag
  }

  #write(key: string, bytes: Uint8Array<ArrayBuffer>, options: Options): void {
    const { httpMetadata = {}, customMetadata = {} } = options
    const uploaded = new Date(this.#world.loop.wall)
    const etag = etagOf(bytes)
    if (!this.objects.has(key)) this.#keys.add(key)
    this.objects.set(key, { bytes, etag, uploaded, httpMetadata, customMetadata })
    // A call that was sent in time may arrive late. Its object has a key of its own, and the sweep removes it as an orphan.
    if (!this.#isLate) this.#listener.wrote(key)
    this.#heldBack.get(key)?.()
  }

  #remove(key: string): void {
    if (!this.objects.has(key)) return
    this.#listener.removes(key)
    this.objects.delete(key)
    this.#keys.remove(key)
  }

  #headOf(key: string) {
    const stored = this.objects.get(key)
    if (!stored) return null
    const { bytes, etag, ...rest } = stored
    const { length: size } = bytes
    // Computed only when asked for, which is rare.
    const checksums = {
      get sha256() {
        return digest(bytes)
      },
    }
    return { key, size, etag, httpEtag: `"${etag}"`, checksums, version: etag, ...rest }
  }

  #bodyOf(key: string, range: { offset?: number; length?: number } = {}) {
    const head = this.#headOf(key)
    const stored = this.objects.get(key)
    if (!head || !stored) return null
    const { offset = 0, length = stored.bytes.length } = range
    const bytes = stored.bytes.slice(offset, offset + length)
    const text = async () => new TextDecoder().decode(bytes)
    return {
      ...head,
      get body() {
        return new Response(bytes).body
      },
      range: { offset, length: bytes.length },
      arrayBuffer: async () => bytes.buffer,
      text,
      json: async (): Promise<unknown> => JSON.parse(await text()),
    }
  }

  #list({ prefix = '', limit = 1000, cursor, startAfter }: Listing) {
    const after = cursor ?? startAfter ?? ''
    const keys = this.#keys.list(prefix, after, limit + 1)
    const page = keys.slice(0, limit)
    const truncated = keys.length > limit
    return {
      objects: page.map((key) => this.#headOf(key)),
      truncated,
      delimitedPrefixes: [],
      ...(truncated ? { cursor: page.at(-1) } : {}),
    }
  }

  async #ask<Value>(what: string, key: string, act: () => Promise<Value> | Value): Promise<Value> {
    const tell = (broken: string): void => this.#world.break(broken)
    countUse('subrequests', tell)
    holdLimit('objectKeyBytes', key.length, tell)
    const { life, name } = here()
    const { faults } = this.#world
    const actNow = (): Promise<Value> | Value => {
      this.#isLate = life.isDead
      if (this.isReadOnly && /^(put|part) /.test(what)) throw internalError()
      const isArchived = what.startsWith('put archive/')
      if (isArchived && faults.strikes('archive fails', `${name} ${what}`)) throw internalError()
      // Some uploads that the sweep removes are not removed at the first try.
      const isSwept = what.startsWith('delete uploads/') && name.startsWith('tick ')
      if (isSwept && !this.#refused.has(what) && faults.strikes('archive fails', what, swept)) {
        this.#refused.add(what)
        throw internalError()
      }
      return act()
    }
    const isRead = /^(get|head|list) /.test(what)
    return this.#world.ask(`R2 ${what}`, actNow, isRead ? ways : waysOfChanges)
  }
}

function noSuchUpload(): Error {
  return new Error('complete: The specified multipart upload does not exist. (10024)')
}

function bytesOf(value: unknown): Uint8Array<ArrayBuffer> {
  if (typeof value === 'string') return new TextEncoder().encode(value)
  if (value instanceof ArrayBuffer) return new Uint8Array(value.slice(0))
  if (value instanceof Uint8Array) return new Uint8Array(value)
  throw new Error('the simulated bucket takes text and bytes only')
}

/** Reads a stream to its end, which comes only if its sender lives as long. */
async function allOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return joined(pieces)
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts))
}

function digest(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(createHash('sha256').update(bytes).digest()).buffer
}

function hexOf(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString('hex')
}

function etagOf(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
