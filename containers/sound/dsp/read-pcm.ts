import { open, type FileHandle } from 'node:fs/promises'
import { bytesPerFrame } from './pcm.ts'

/** Measuring it takes at most about 40 ms of processor time; the same process answers health checks meanwhile. */
const chunkBytes = 8_192 * bytesPerFrame

/** Reads a file of samples while it grows: each call reads up to its current end. */
export class PcmReader {
  readonly #handle: FileHandle
  readonly #bytes = Buffer.from(new ArrayBuffer(chunkBytes))
  #position = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(file: string): Promise<PcmReader> {
    return new PcmReader(await open(file, 'r'))
  }

  async readOn(signal: AbortSignal, onSamples: (samples: Float32Array) => void): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await this.#handle.read(this.#bytes, 0, chunkBytes, this.#position)
      const whole = bytesRead - (bytesRead % bytesPerFrame)
      if (whole === 0) return
      this.#position += whole
      onSamples(samplesOf(this.#bytes, whole))
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/** A view, not a copy: the files and all platforms of Node are little-endian. */
export function samplesOf(bytes: Buffer, length: number): Float32Array {
  return new Float32Array(bytes.buffer, bytes.byteOffset, length / Float32Array.BYTES_PER_ELEMENT)
}
