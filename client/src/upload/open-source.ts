import { SpoolError } from '../errors.ts'
import type { OpenedSource } from './opened-source.ts'

/** A path (or a `file:` URL) needs a file system; everything else works everywhere. */
export type UploadSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

type NamedSize = { fileName?: string | undefined; sizeInBytes?: number | undefined }

export async function openSource(source: UploadSource, told: NamedSize): Promise<OpenedSource> {
  const opened = await openByKind(source, told)
  return { ...opened, fileName: told.fileName ?? opened.fileName }
}

async function openByKind(source: UploadSource, told: NamedSize): Promise<OpenedSource> {
  if (typeof source === 'string' || source instanceof URL) return openFile(source)
  if (source instanceof Blob) return ofBlob(source)
  if (source instanceof ArrayBuffer) return ofBytes(new Uint8Array(source))
  if (ArrayBuffer.isView(source)) {
    const { buffer, byteOffset, byteLength } = source
    return ofBytes(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength))
  }
  if (isStream(source) || isAsyncIterable(source)) return ofStream(source, told.sizeInBytes)
  throw new SpoolError('The source must be a path, a Blob, bytes or a stream.')
}

async function openFile(source: string | URL): Promise<OpenedSource> {
  const text = String(source)
  if (/^https?:/i.test(text)) {
    throw new SpoolError(
      `${text} is an address: the service fetches it with videos.create({ fileUrl }).`,
    )
  }
  if (source instanceof URL && source.protocol !== 'file:') {
    throw new SpoolError(`${source.protocol} addresses cannot be read.`)
  }
  // oxlint-disable-next-line no-restricted-imports -- only here, so that the package also loads where there is no file system
  const { openPath } = await import('../node/open-path.ts')
  return openPath(source)
}

function ofBlob(blob: Blob): OpenedSource {
  return {
    fileName: 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined,
    contentType: blob.type === '' ? undefined : blob.type,
    size: blob.size,
    read: async (start, end) => blob.slice(start, end),
    stream: () => iterate(blob.stream()),
    close: async () => undefined,
  }
}

function ofBytes(bytes: Uint8Array<ArrayBuffer>): OpenedSource {
  return {
    fileName: undefined,
    contentType: undefined,
    size: bytes.length,
    read: async (start, end) => bytes.subarray(start, end),
    stream: async function* () {
      yield bytes
    },
    close: async () => undefined,
  }
}

function ofStream(
  source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number | undefined,
): OpenedSource {
  const chunks = isStream(source) ? iterate(source) : source
  const bytes = new StreamBytes(chunks, size)
  return {
    fileName: undefined,
    contentType: undefined,
    size,
    read: async (start, end) => bytes.read(start, end),
    stream: () => chunks,
    close: async () => bytes.close(),
  }
}

function isStream(source: unknown): source is ReadableStream<Uint8Array> {
  return typeof (source as ReadableStream).getReader === 'function'
}

function isAsyncIterable(source: unknown): source is AsyncIterable<Uint8Array> {
  return typeof (source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator] === 'function'
}

/** Not every browser lets one iterate a stream. */
async function* iterate(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    // Nobody reads on, so what it has left does not matter.
    void reader.cancel().catch(() => undefined)
  }
}

/** A stream of which ranges are read, one behind the other; what lies between them is passed over. */
class StreamBytes {
  readonly #chunks: AsyncIterator<Uint8Array, undefined>
  readonly #size: number | undefined
  #rest = new Uint8Array(0)
  #position = 0

  constructor(chunks: AsyncIterable<Uint8Array>, size: number | undefined) {
    this.#chunks = chunks[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
    this.#size = size
  }

  async read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.#take(start - this.#position, undefined)
    const bytes = new Uint8Array(end - start)
    await this.#take(bytes.length, bytes)
    if (end === this.#size) await this.#expectEnd()
    return bytes
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  async #take(length: number, into: Uint8Array | undefined): Promise<void> {
    for (let taken = 0; taken < length;) {
      if (this.#rest.length === 0) await this.#fill()
      const piece = this.#rest.subarray(0, length - taken)
      into?.set(piece, taken)
      this.#rest = this.#rest.subarray(piece.length)
      taken += piece.length
      this.#position += piece.length
    }
  }

  async #fill(): Promise<void> {
    const { done, value } = await this.#chunks.next()
    if (done) {
      throw new SpoolError(
        `The stream ended after ${this.#position} of ${this.#size ?? 'an unknown number of'} bytes.`,
      )
    }
    if (!(value instanceof Uint8Array)) throw new SpoolError('The stream must consist of bytes.')
    this.#rest = value as Uint8Array<ArrayBuffer>
  }

  async #expectEnd(): Promise<void> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next()
      if (done) return
      this.#rest = value as Uint8Array<ArrayBuffer>
    }
    throw new SpoolError(`The stream is longer than its sizeInBytes, ${this.#size ?? ''}.`)
  }
}
