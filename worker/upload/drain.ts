import { withinMs } from '../contract/within-ms.ts'
import type { ByteSource } from './byte-window.ts'

/** An answer that leaves much of the body unread may never be read itself: the connection is reset under it. */
export const drainBytes = 64 * 1024 * 1024
export const drainMs = 10_000

/** Reads what is still to come, up to a number of bytes or a point in time, and forgets it. */
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
    // The client has gone, and nobody will read the answer that this was for.
    return undefined
  }
}

export const patience = { totalMs: 20_000, silenceMs: 1_000 }

/**
 * Lets an answer out before all of the body has come. Some runtimes hold it back while the rest might still be read; but
 * a body that is closed under a client that is sending breaks the connection, and the answer is lost. So it is closed
 * only when nothing comes: then the client waits for the answer. What does come is read for a while.
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
