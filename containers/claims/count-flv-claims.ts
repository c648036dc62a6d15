import type { Claiming } from './claim-counts.ts'

const headBytes = 9
const tagHeadBytes = 11
const script = 18

/** Visits the head of every tag, and looks into those that describe the file. */
export async function countFlvClaims({ bytes, counts, signal }: Claiming): Promise<void> {
  const head = await bytes.at(0, headBytes)
  if (head.length < headBytes) return
  const packets = new Map<number, number>()
  // In front of each tag stands the length of the one before.
  for (let at = Math.max(headBytes, head.readUInt32BE(5)) + 4; at < bytes.size;) {
    signal.throwIfAborted()
    const tag = bytes.atHand(at, tagHeadBytes) ?? (await bytes.at(at, tagHeadBytes))
    if (tag.length < tagHeadBytes) return
    const type = (tag[0] ?? 0) & 0x1f
    const length = tag.readUIntBE(1, 3)
    const count = (packets.get(type) ?? 0) + 1
    packets.set(type, count)
    if (type === script) {
      counts.add('headerParts')
      const to = Math.min(at + tagHeadBytes + length, bytes.size)
      await new AmfReader({ bytes: bytes.beside(), counts, signal }).read(at + tagHeadBytes, to)
    } else counts.checkPackets(count)
    at += tagHeadBytes + length + 4
  }
}

/** The kinds of values in the metadata of FLV. */
const amf = {
  number: 0,
  boolean: 1,
  text: 2,
  object: 3,
  reference: 7,
  mixedArray: 8,
  end: 9,
  array: 10,
  date: 11,
  longText: 12,
} as const

const bytesOf = new Map<number, number>([
  [amf.number, 8],
  [amf.boolean, 1],
  [amf.reference, 2],
  [amf.date, 10],
])
/** ffmpeg goes no deeper either. */
const deepest = 16

/** Counts the names and values in the metadata of an FLV, and stops where they make no sense. */
class AmfReader {
  readonly #file: Claiming
  #at = 0
  #end = 0

  constructor(file: Claiming) {
    this.#file = file
  }

  async read(from: number, to: number): Promise<void> {
    this.#at = from
    this.#end = to
    while (this.#at < this.#end) if (!(await this.#value(0))) return
  }

  /** Returns whether another value can follow. */
  async #value(depth: number): Promise<boolean> {
    this.#file.signal.throwIfAborted()
    const kind = await this.#take(1)
    if (kind === undefined || depth > deepest) return false
    const length = bytesOf.get(kind)
    if (length !== undefined) return this.#skip(length)
    switch (kind) {
      case amf.text:
        return this.#skip(await this.#take(2))
      case amf.longText:
        return this.#skip(await this.#take(4))
      case amf.object:
        return this.#fields(depth)
      case amf.mixedArray:
        return this.#skip(4) && this.#fields(depth)
      case amf.array:
        return this.#items(depth)
      default:
        // Null and undefined have no bytes of their own.
        return kind === 5 || kind === 6
    }
  }

  async #fields(depth: number): Promise<boolean> {
    for (;;) {
      const nameBytes = await this.#take(2)
      if (nameBytes === undefined || !this.#skip(nameBytes)) return false
      if (nameBytes === 0) return (await this.#take(1)) === amf.end
      this.#file.counts.add('tags')
      if (!(await this.#value(depth + 1))) return false
    }
  }

  /** The times and places of key pictures: ffmpeg takes memory for as many as are claimed. */
  async #items(depth: number): Promise<boolean> {
    const claimed = await this.#take(4)
    if (claimed === undefined) return false
    this.#file.counts.add('indexedPackets', claimed)
    for (let i = 0; i < claimed; i++) if (!(await this.#value(depth + 1))) return false
    return true
  }

  /** A whole number of this many bytes; undefined beyond the end. */
  async #take(length: 1 | 2 | 4): Promise<number | undefined> {
    const from = this.#at
    if (!this.#skip(length)) return undefined
    const bytes = this.#file.bytes.atHand(from, length) ?? (await this.#file.bytes.at(from, length))
    return bytes.length < length ? undefined : bytes.readUIntBE(0, length)
  }

  #skip(length: number | undefined): boolean {
    if (length === undefined || this.#at + length > this.#end) return false
    this.#at += length
    return true
  }
}
