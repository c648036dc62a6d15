import { SpoolError } from '../errors.ts'
import type { OpenedSource } from './opened-source.ts'
import { StreamBytes } from './stream-bytes.ts'

/** A path (or a `file:` URL) needs a file system; everything else works everywhere. */
export type UploadSource =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

type Told = { fileName?: string | undefined; sizeInBytes?: number | undefined }

export async function openSource(source: UploadSource, told: Told): Promise<OpenedSource> {
  const opened = await openByKind(source, told)
  return { ...opened, fileName: told.fileName ?? opened.fileName }
}

async function openByKind(source: UploadSource, told: Told): Promise<OpenedSource> {
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
