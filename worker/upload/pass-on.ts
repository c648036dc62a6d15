import type { ByteSource } from './byte-window.ts'

const pieceBytes = 256 * 1024

/** Writes every byte of the source to the stream, and ends or aborts the stream. */
export async function passOn(source: ByteSource, into: WritableStream<Uint8Array>): Promise<void> {
  const writer = into.getWriter()
  try {
    let view: Uint8Array<ArrayBuffer> = new Uint8Array(pieceBytes)
    for (;;) {
      const { done, value } = await source.readAtLeast(pieceBytes, view)
      if (value && value.byteLength > 0) await writer.write(value)
      if (done || !value) break
      view = new Uint8Array(value.buffer)
    }
    await writer.close()
  } catch (error) {
    // The reader of the stream gets the error by itself; throw the cause.
    writer.abort(error).catch(() => undefined)
    throw error
  }
}
