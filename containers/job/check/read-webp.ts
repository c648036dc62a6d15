import { open, type FileHandle } from 'node:fs/promises'

/** `seconds`: NaN for a single picture, which has no length. */
type Webp = { readonly width: number; readonly height: number; readonly seconds: number }
type Size = Pick<Webp, 'width' | 'height'>

const headBytes = 8
const frameBytes = 16
const pictureNames: readonly string[] = ['VP8 ', 'VP8L']
/** Of the flags of a canvas. */
const isMovingFlag = 2

/**
 * Reads how large a WebP is, and how long its frames are shown together; undefined if the file does not hold all that its heads
 * promise. Each chunk has a name of four letters, its length, and an even number of bytes. Pictures that are all the same are
 * stored as a single one, without a canvas.
 */
export async function readWebp(file: string): Promise<Webp | undefined> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const riff = await bytesAt(handle, 0, 12)
  const isWhole = riff.readUInt32LE(4) + headBytes === size
  if (!isWhole || riff.toString('latin1', 0, 4) !== 'RIFF') return undefined
  let [shownMs, frames, isMoving] = [0, 0, false]
  let canvas: Size | undefined
  let still: Size | undefined
  for (let at = riff.length; at < size;) {
    const head = await bytesAt(handle, at, headBytes)
    const [name, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    if (at + headBytes + length > size) return undefined
    const start = await bytesAt(handle, at + headBytes, frameBytes + headBytes)
    if (name === 'VP8X') {
      canvas = canvasSize(start)
      isMoving = (start.readUInt8(0) & isMovingFlag) !== 0
    }
    if (pictureNames.includes(name)) still = pictureSize(name, start)
    if (name === 'ANMF') {
      shownMs += start.readUIntLE(12, 3)
      // Its own chunk with the picture, which may come after one with its transparency.
      if (![...pictureNames, 'ALPH'].includes(start.toString('latin1', frameBytes, frameBytes + 4)))
        return undefined
      frames += 1
    }
    at += headBytes + length + (length % 2)
  }
  if (!isMoving) return still && { ...(canvas ?? still), seconds: Number.NaN }
  return canvas && frames > 0 ? { ...canvas, seconds: shownMs / 1_000 } : undefined
}

function canvasSize(start: Buffer): Size {
  return { width: 1 + start.readUIntLE(4, 3), height: 1 + start.readUIntLE(7, 3) }
}

/** Undefined if the chunk does not begin like a picture. */
function pictureSize(name: string, start: Buffer): Size | undefined {
  if (name === 'VP8L') {
    if (start.readUInt8(0) !== 0x2f) return undefined
    const sides = start.readUInt32LE(1)
    return { width: 1 + (sides & 0x3fff), height: 1 + ((sides >>> 14) & 0x3fff) }
  }
  // Its start code comes after three bytes, and two bits of each side say how it may be enlarged.
  if (start.readUIntBE(3, 3) !== 0x9d012a) return undefined
  return { width: start.readUInt16LE(6) & 0x3fff, height: start.readUInt16LE(8) & 0x3fff }
}

/** What lies beyond the end reads as zeros. */
async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await handle.read(bytes, 0, length, at)
  return bytes
}
