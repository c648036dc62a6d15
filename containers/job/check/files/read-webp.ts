import { open, type FileHandle } from 'node:fs/promises'
import { emptyBytes } from '../damaged-packets.ts'
import type { MovingTables } from './moving-tables.ts'
import type { Size } from '../../../../worker/contract/layout/element-layout.ts'

/** Where a picture of a WebP is stored, and how it changes what was shown before it. */
export type WebpFrame = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly seconds: number
  /** Whether it is laid over the previous picture where it is transparent, or replaces it. */
  readonly isOver: boolean
  /** Whether its area is cleared before the next one. */
  readonly isCleared: boolean
  /** Where its chunks lie in the file. */
  readonly offset: number
  readonly bytes: number
}

/** A WebP. Pictures that are all the same are stored as one, without frames and without a length. */
export type Webp = MovingTables & { readonly frames: readonly WebpFrame[] }

const headBytes = 8
const frameBytes = 16
const pictureNames: readonly string[] = ['VP8 ', 'VP8L']
/** A flag of the canvas. */
const isMovingFlag = 2
/** Flags of a frame. */
const frameFlags = { cleared: 1, inPlace: 2 } as const

/**
 * The size of a WebP, where its frames lie and how long each is shown; undefined if the file does not contain all that its
 * heads promise. Each chunk has a name of four letters, its length, and an even number of bytes.
 */
export async function readWebp(file: string): Promise<Webp | undefined> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const riff = await bytesAt(handle, 0, 12)
  const isWhole = riff.readUInt32LE(4) + headBytes === size
  if (!isWhole || riff.toString('latin1', 0, 4) !== 'RIFF') return undefined
  const frames: WebpFrame[] = []
  let [isMoving, isEndless] = [false, false]
  let canvas: Size | undefined
  let still: WebpFrame | undefined
  for (let at = riff.length; at < size;) {
    const head = await bytesAt(handle, at, headBytes)
    const [name, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    if (at + headBytes + length > size) return undefined
    const start = await bytesAt(handle, at + headBytes, frameBytes + headBytes)
    if (name === 'VP8X') {
      canvas = { width: 1 + start.readUIntLE(4, 3), height: 1 + start.readUIntLE(7, 3) }
      isMoving = (start.readUInt8(0) & isMovingFlag) !== 0
    }
    if (name === 'ANIM') isEndless = start.readUInt16LE(4) === 0
    if (pictureNames.includes(name)) {
      const own = pictureSize(name, start)
      still = own && { ...own, ...asStill, offset: at, bytes: headBytes + length + (length % 2) }
    }
    if (name === 'ANMF') {
      const frame = frameIn(start, { at: at + headBytes, length })
      if (!frame) return undefined
      frames.push(frame)
    }
    at += headBytes + length + (length % 2)
  }
  if (!isMoving) return still && { ...alone(still), ...canvas }
  const delays = frames.map(({ seconds }) => seconds)
  return canvas && frames.length > 0 ? { ...canvas, frames, delays, isEndless } : undefined
}

const asStill = { x: 0, y: 0, seconds: Infinity, isOver: false, isCleared: false } as const

function alone(still: WebpFrame): Webp {
  const { width, height } = still
  return { width, height, frames: [still], delays: [], isEndless: true }
}

/** Whether the coded pictures of a file have holes: bytes that were never written are zero. */
export async function hasHoles(file: string, { frames }: Webp): Promise<boolean> {
  await using handle = await open(file)
  for (const { offset, bytes } of frames) {
    const chunks = await bytesAt(handle, offset, bytes)
    // The transparency comes before the picture, and may be plain.
    const picture = chunks.subarray(Math.max(0, chunks.indexOf('VP8')))
    if (picture.includes(emptyBytes)) return true
  }
  return false
}

function frameIn(start: Buffer, { at, length }: { at: number; length: number }) {
  // The inner chunk with the picture may come after one with its transparency.
  const inner = start.toString('latin1', frameBytes, frameBytes + 4)
  if (![...pictureNames, 'ALPH'].includes(inner)) return undefined
  const flags = start.readUInt8(15)
  return {
    ...{ x: 2 * start.readUIntLE(0, 3), y: 2 * start.readUIntLE(3, 3) },
    ...{ width: 1 + start.readUIntLE(6, 3), height: 1 + start.readUIntLE(9, 3) },
    seconds: start.readUIntLE(12, 3) / 1_000,
    isOver: (flags & frameFlags.inPlace) === 0,
    isCleared: (flags & frameFlags.cleared) !== 0,
    ...{ offset: at + frameBytes, bytes: length - frameBytes },
  }
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

/** Bytes beyond the end read as zeros. */
async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await handle.read(bytes, 0, bytes.length, at)
  return bytes
}
