import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { ConnectionError, TimeoutError } from '../../errors.ts'
import { readError } from '../../http/read-error.ts'
import { Deadline, realTiming, type Timing } from '../../http/timing.ts'
import { CommandError } from '../session/command-error.ts'
import { exitCodes } from '../session/exit-code.ts'
import { alreadyThere, asFileName, isThere } from './output-file.ts'

export type Download = {
  /** A link of the record; asked for again when the one before it has failed. */
  link: () => Promise<string>
  /** Marks what belongs to this file of this video, so that a later run finds what is there already. */
  mark: string
  signal: AbortSignal
  onProgress: (progress: { bytes: number; total: number | undefined }) => void
  timing?: Timing
}

const mostFailures = 5
const silenceMs = 60_000

/**
 * Saves a file under another name first, so that a file of the right name is always whole. What a broken connection has
 * left is continued, by this run or a later one.
 */
export async function saveFile(
  download: Download,
  target: string,
  isForced: boolean,
): Promise<number> {
  const mark = asFileName(download.mark)
  const draft = path.join(path.dirname(target), `.${path.basename(target)}.${mark}.part`)
  const size = await receive(download, {
    sizeSoFar: async () => (await stat(draft).catch(() => undefined))?.size ?? 0,
    write: async (chunks, start) => append(draft, chunks, start),
    restart: async () => rm(draft, { force: true }),
  })
  if (!isForced && (await isThere(target))) throw alreadyThere(target)
  await rename(draft, target)
  return size
}

/** Passes the bytes on as they come, to a program that reads them. */
export async function streamFile(download: Download, output: NodeJS.WritableStream): Promise<void> {
  let written = 0
  await receive(download, {
    sizeSoFar: async () => written,
    write: async (chunks) => {
      for await (const chunk of chunks) {
        if (!output.write(chunk))
          await new Promise<void>((resolve) => output.once('drain', resolve))
        written += chunk.length
      }
    },
    restart: async () => {
      throw new CommandError('The file cannot be continued after a break.', exitCodes.unreachable)
    },
  })
}

type ByteChunks = AsyncIterable<Uint8Array>

type Receiver = {
  sizeSoFar: () => Promise<number>
  write: (chunks: ByteChunks, start: number) => Promise<void>
  /** What was found on the disk belongs to another file. */
  restart: () => Promise<void>
}

async function receive(download: Download, receiver: Receiver): Promise<number> {
  const { signal, timing = realTiming } = download
  for (let failures = 0; ;) {
    const before = await receiver.sizeSoFar()
    try {
      return await receiveOnce(download, receiver)
    } catch (error) {
      const isPassing = error instanceof ConnectionError || error instanceof TimeoutError
      if (signal.aborted || !isPassing) throw signal.aborted ? signal.reason : error
      failures = (await receiver.sizeSoFar()) > before ? 1 : failures + 1
      if (failures >= mostFailures) throw error
      await timing.pause(500 * 2 ** failures, signal)
    }
  }
}

async function receiveOnce(download: Download, receiver: Receiver): Promise<number> {
  const { signal, onProgress } = download
  const start = await receiver.sizeSoFar()
  const deadline = new Deadline('The download', signal)
  deadline.set(silenceMs)
  try {
    const response = await request(await download.link(), start, deadline)
    if (response.status === 416 || (start > 0 && response.status === 200)) {
      void response.body?.cancel()
      const size = Number(/\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1])
      if (response.status === 416 && size === start) return start
      await receiver.restart()
      throw new ConnectionError('The download begins again.')
    }
    const total = totalOf(response, start)
    let bytes = start
    onProgress({ bytes, total })
    await receiver.write(
      counted(response, (length) => {
        bytes += length
        deadline.set(silenceMs)
        onProgress({ bytes, total })
      }),
      start,
    )
    if (total !== undefined && bytes < total) throw new ConnectionError('The download broke off.')
    return bytes
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error
  } finally {
    deadline.clear()
  }
}

async function request(url: string, start: number, { signal }: Deadline): Promise<Response> {
  const headers: Record<string, string> = start > 0 ? { Range: `bytes=${start}-` } : {}
  const response = await fetch(url, { headers, signal }).catch((error: unknown) => {
    const { host } = new URL(url)
    throw new ConnectionError(`The download from ${host} got no answer.`, { cause: error })
  })
  if (response.ok || response.status === 416) return response
  if (response.status < 500) throw await readError(response, 'The download')
  void response.body?.cancel()
  throw new ConnectionError(`The download was answered with ${response.status}.`)
}

function totalOf({ headers, status }: Response, start: number): number | undefined {
  const length = headers.get('Content-Length')
  if (length === null || headers.get('Content-Encoding')) return undefined
  return Number(length) + (status === 206 ? start : 0)
}

async function* counted(response: Response, onBytes: (length: number) => void): ByteChunks {
  const reader = response.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new ConnectionError('The download broke off.', { cause: error })
      })
      if (done) return
      yield value
      onBytes(value.length)
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

async function append(draft: string, chunks: ByteChunks, start: number): Promise<void> {
  const file = createWriteStream(draft, { flags: start > 0 ? 'a' : 'w' })
  const failed = new Promise<never>((_, reject) => file.once('error', reject))
  failed.catch(() => undefined)
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  const write = async () => {
    for await (const chunk of chunks) {
      if (!file.write(chunk)) await new Promise<void>((resolve) => file.once('drain', resolve))
    }
  }
  try {
    await Promise.race([write(), failed])
  } finally {
    // What has arrived is on the disk before anybody asks how much that is.
    file.end()
    await Promise.race([closed, failed])
  }
}
