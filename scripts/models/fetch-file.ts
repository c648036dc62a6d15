import { createHash, type Hash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { readJson } from '../machine/write-file.ts'
import { reach, reasonOf, refused, type Hub, type HubFile } from './hub.ts'

/** A connection that stays silent for this long is given up. */
const idleMs = 60_000

type Fetching = {
  readonly hub: Hub
  readonly url: string
  readonly file: HubFile
  /** Where the file is when it is complete and has the right checksum. */
  readonly target: string
  readonly onBytes: (bytes: number) => void
}

/** Fetches a file, or the rest of one, and compares it with its checksum. */
export async function fetchFile(fetching: Fetching): Promise<void> {
  const { file, target, onBytes } = fetching
  if (existsSync(target)) return onBytes(file.size)
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
  const part = `${target}.part`
  if (lengthOf(part) < file.size) await fetchRest(fetching, part)
  else onBytes(file.size)
  const found = lengthOf(part) === file.size ? await checksumOf(part, file) : undefined
  if (found !== file.checksum.hex) {
    rmSync(part, { force: true })
    throw new StopWithMessage(
      `${file.path} does not have the checksum that the hub has for it, and was removed. Fetch it again; if it happens again, do not trust the hub.`,
    )
  }
  renameSync(part, target)
  rmSync(`${part}.etag`, { force: true })
}

async function fetchRest(fetching: Fetching, part: string): Promise<void> {
  const { hub, url, file } = fetching
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(new Error('nothing came any more')), idleMs)
  try {
    const signal = AbortSignal.any([hub.stop, idle.signal])
    const response = await reach(hub, async () => fetch(url, { signal, headers: continuing(part) }))
    const isRest = response.status === 206 && startsAt(response, lengthOf(part))
    if (!isRest && response.status !== 200) throw unexpected(url, response.status, part)
    if (!isRest) rmSync(part, { force: true })
    writeFileSync(`${part}.etag`, JSON.stringify(response.headers.get('ETag')))
    await keep(fetching, part, response.body ?? [], () => timer.refresh())
  } catch (error) {
    if (error instanceof StopWithMessage || hub.stop.aborted) throw error
    throw brokenOff(url, reasonOf(error), error)
  } finally {
    clearTimeout(timer)
  }
  if (lengthOf(part) < file.size) throw brokenOff(url, 'it ended early')
}

function brokenOff(url: string, reason: string, cause?: unknown): StopWithMessage {
  const message = `${url} was broken off: ${reason}. The same command goes on where it stopped.`
  return new StopWithMessage(message, 1, { cause })
}

async function keep(
  { url, file, onBytes }: Fetching,
  part: string,
  chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[],
  onChunk: () => void,
): Promise<void> {
  let length = lengthOf(part)
  onBytes(length)
  const handle = await open(part, 'a', 0o600)
  try {
    for await (const chunk of chunks) {
      onChunk()
      length += chunk.length
      if (length > file.size)
        throw new StopWithMessage(`${url} sends more than ${file.size} bytes.`)
      await handle.write(chunk)
      onBytes(chunk.length)
    }
  } finally {
    await handle.close()
  }
}

/** Asks for the rest only if the file is still the same one; a weak mark cannot tell. */
function continuing(part: string): Record<string, string> {
  const etag = readJson(`${part}.etag`)
  const length = lengthOf(part)
  if (length === 0 || typeof etag !== 'string' || !/^"[^"]*"$/.test(etag)) return {}
  return { Range: `bytes=${length}-`, 'If-Range': etag }
}

function startsAt({ headers }: Response, length: number): boolean {
  return headers.get('Content-Range')?.startsWith(`bytes ${length}-`) ?? false
}

function unexpected(url: string, status: number, part: string): StopWithMessage {
  // The next try begins at the beginning.
  if (status === 206 || status === 416) rmSync(part, { force: true })
  return refused(url, status)
}

function lengthOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

async function checksumOf(file: string, { checksum, size }: HubFile): Promise<string> {
  const hash = checksum.kind === 'sha256' ? createHash('sha256') : gitHash(size)
  for await (const chunk of createReadStream(file, { highWaterMark: 2 ** 20 })) {
    hash.update(chunk as Buffer)
  }
  return hash.digest('hex')
}

/** Git hashes a file with its length in front. */
function gitHash(size: number): Hash {
  return createHash('sha1').update(`blob ${size}\0`)
}
