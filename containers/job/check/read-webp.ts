import { open, type FileHandle } from 'node:fs/promises'

type Webp = { readonly width: number; readonly height: number; readonly seconds: number }

const headBytes = 8
const canvasBytes = 10
const frameBytes = 16

/**
 * Reads the canvas of a WebP whose pictures move, and how long its frames are shown together; undefined if the file does not hold all
 * that its heads promise. Each chunk has a name of four letters, its length, and an even number of bytes.
 */
export async function readWebp(file: string): Promise<Webp | undefined> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const riff = await bytesAt(handle, 0, 12)
  const isWhole = riff.readUInt32LE(4) + headBytes === size
  if (!isWhole || riff.toString('latin1', 0, 4) !== 'RIFF') return undefined
  let [width, height, shownMs, frames] = [0, 0, 0, 0]
  for (let at = riff.length; at < size;) {
    const head = await bytesAt(handle, at, headBytes)
    const [name, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    if (at + headBytes + length > size) return undefined
    if (name === 'VP8X') {
      const canvas = await bytesAt(handle, at + headBytes, canvasBytes)
      width = 1 + canvas.readUIntLE(4, 3)
      height = 1 + canvas.readUIntLE(7, 3)
    }
    if (name === 'ANMF') {
      const frame = await bytesAt(handle, at + headBytes, frameBytes + headBytes)
      shownMs += frame.readUIntLE(12, 3)
      // Its own chunk with the picture, which may come after one with its transparency.
      if (!/^(VP8 |VP8L|ALPH)$/.test(frame.toString('latin1', frameBytes, frameBytes + 4)))
        return undefined
      frames += 1
    }
    at += headBytes + length + (length % 2)
  }
  return frames > 0 && width > 0 ? { width, height, seconds: shownMs / 1_000 } : undefined
}

/** What lies beyond the end reads as zeros. */
async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await handle.read(bytes, 0, length, at)
  return bytes
}
