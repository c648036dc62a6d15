import { withinMs } from '../contract/within-ms.ts'
import type { ByteSource } from './byte-window.ts'

/**
 * If much of the body is left unread, the connection is reset and the client may never read the answer; so this much is
 * read.
 */
export const drainBytes = 64 * 1024 * 1024
export const drainMs = 10_000

/** Reads and discards what is still to come, up to a number of bytes or a point in time. */
export async function drain(
  source: ByteSource,
  until: { bytes: number; timeUp: Promise<unknown> },
): Promise<void> {
  const timeUp = until.timeUp.then(() => undefined)
  let view: Uint8Array<ArrayBuffer> = new Uint8Array(256 * 1024)
  for (let left = until.bytes; left > 0;) {
    const read = await Promise.race([readOn(source, view), timeUp])
    if (!read?.value || read.done) return
    left -= read.value.byteLength
    view = new Uint8Array(read.value.buffer)
  }
}

async function readOn(source: ByteSource, view: Uint8Array<ArrayBuffer>) {
  try {
    return await source.readAtLeast(1, view)
  } catch {
    // The client has gone, so nobody will read the answer either.
    return undefined
  }
}

export const patience = { totalMs: 20_000, silenceMs: 1_000 }

/**
 * Lets a client read an answer that was given before all of its body had come. Some runtimes hold the answer back while
 * the rest might still be read. But closing a body while the client is sending breaks the connection and loses the
 * answer. So the body is read for a while, and closed only when nothing comes: then the client is waiting for the
 * answer.
 */
export async function letAnswerPass(
  source: ByteSource & { cancel(): Promise<void> },
  { totalMs, silenceMs }: typeof patience = patience,
): Promise<void> {
  let view: Uint8Array<ArrayBuffer> = new Uint8Array(256 * 1024)
  for (const begunAt = Date.now(); Date.now() - begunAt < totalMs;) {
    const read = await withinMs(silenceMs, readOn(source, view), () => 'silence' as const)
    if (read === 'silence') return source.cancel()
    if (!read?.value || read.done) return
    view = new Uint8Array(read.value.buffer)
  }
}
