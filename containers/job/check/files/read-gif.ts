import { open, type FileHandle } from 'node:fs/promises'
import type { MovingTables } from './moving-tables.ts'

/** The byte that introduces each block of a GIF. */
const blocks = { extension: 0x21, picture: 0x2c, end: 0x3b } as const
/** Kinds of extensions. */
const kinds = { control: 0xf9, application: 0xff } as const
const colorsFollow = 0x80
/** Programs that show a GIF wait this long for a picture that should not wait at all. */
const leastDelay = { told: 0.02, shown: 0.1 } as const

/** The size of a GIF and how long each of its pictures is shown; undefined if it ends too soon. */
export async function readGif(file: string): Promise<MovingTables | undefined> {
  await using handle = await open(file)
  const bytes = new Forward(handle)
  try {
    const head = await bytes.take(13)
    if (!/^GIF8[79]a$/.test(head.toString('latin1', 0, 6))) return undefined
    bytes.skip(colorBytes(head[10] ?? 0))
    const size = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
    return { ...size, ...(await readBlocks(bytes)) }
  } catch (error) {
    if (error instanceof CutOff) return undefined
    throw error
  }
}

async function readBlocks(bytes: Forward): Promise<Pick<MovingTables, 'delays' | 'isEndless'>> {
  const delays: number[] = []
  let [delay, isEndless] = [0, false]
  for (;;) {
    const block = await bytes.byte()
    if (block === blocks.end) return { delays, isEndless }
    if (block === blocks.picture) {
      const head = await bytes.take(9)
      bytes.skip(colorBytes(head[8] ?? 0) + 1)
      await skipParts(bytes)
      delays.push(delay < leastDelay.told ? leastDelay.shown : delay)
    } else if (block === blocks.extension) {
      const kind = await bytes.byte()
      const first = await bytes.take(await bytes.byte())
      if (kind === kinds.control) delay = numberIn(first) / 100
      if (kind === kinds.application && first.toString('latin1') === 'NETSCAPE2.0') {
        const again = await bytes.take(await bytes.byte())
        isEndless = numberIn(again) === 0
      }
      await skipParts(bytes)
    } else {
      throw new CutOff('A block of another kind')
    }
  }
}

/** The number behind the first byte of a block. */
function numberIn(bytes: Buffer): number {
  if (bytes.length < 3) throw new CutOff('A block is too short for what it has to say')
  return bytes.readUInt16LE(1)
}

/** The bytes of the colour table behind a head with these flags. */
function colorBytes(flags: number): number {
  return flags & colorsFollow ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Skips parts of up to 255 bytes, each behind its length, up to the empty one at the end. */
async function skipParts(bytes: Forward): Promise<void> {
  for (let length = await bytes.byte(); length > 0; length = await bytes.byte()) bytes.skip(length)
}

class CutOff extends Error {
  override name = 'CutOff'
}

const windowBytes = 1 << 18

/** Reads a file from its beginning to its end. */
class Forward {
  readonly #handle: FileHandle
  readonly #window = Buffer.alloc(windowBytes)
  #begin = 0
  #held = 0
  #at = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async byte(): Promise<number> {
    return (await this.take(1))[0] ?? 0
  }

  /** Valid until the next bytes are taken. */
  async take(count: number): Promise<Buffer> {
    if (this.#at < this.#begin || this.#at + count > this.#begin + this.#held) {
      this.#begin = this.#at
      const { bytesRead } = await this.#handle.read(this.#window, 0, windowBytes, this.#begin)
      this.#held = bytesRead
      if (bytesRead < count) throw new CutOff('The file ends within a block')
    }
    const from = this.#at - this.#begin
    this.#at += count
    return this.#window.subarray(from, from + count)
  }

  skip(count: number): void {
    this.#at += count
  }
}
