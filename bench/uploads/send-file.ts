import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'

export type FileRequest = {
  url: string
  method: 'PUT' | 'POST'
  headers: Readonly<Record<string, string>>
  /** The rest of the form around the file, or nothing. */
  before: string
  after: string
  bytes: number
  stop: AbortSignal
}

/** The first box of an MP4, followed by bytes that cannot be compressed. The file is never stored. */
const clipHead = Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41', 'latin1')
const stretch = randomBytes(1024 * 1024)

function* fileBytes(bytes: number): Generator<Buffer> {
  yield clipHead
  for (let left = bytes - clipHead.length; left > 0; left -= stretch.length) {
    yield left < stretch.length ? stretch.subarray(0, left) : stretch
  }
}

function* bodyBytes({ before, bytes, after }: FileRequest): Generator<Buffer> {
  yield Buffer.from(before)
  yield* fileBytes(bytes)
  yield Buffer.from(after)
}

/** Returns the seconds from the first byte to the answer, which must be a 202. */
export async function sendFile(file: FileRequest): Promise<number> {
  const length = Buffer.byteLength(file.before) + file.bytes + Buffer.byteLength(file.after)
  const startedAt = performance.now()
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(
      file.url,
      {
        method: file.method,
        headers: { ...file.headers, 'Content-Length': length },
        signal: file.stop,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('error', reject)
        response.on('end', () => {
          if (response.statusCode === 202) resolve()
          else reject(new Error(`${file.url} answered ${response.statusCode ?? '?'}: ${text}`))
        })
      },
    )
    outgoing.on('error', reject)
    Readable.from(bodyBytes(file)).on('error', reject).pipe(outgoing)
  })
  return (performance.now() - startedAt) / 1000
}
