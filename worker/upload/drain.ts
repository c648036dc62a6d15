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
