import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Packets, Packing } from '../../ffmpeg/measure-packing.ts'
import { lengthBytes } from './nal-units.ts'

/** The packets of several files in one track. */
export type JoinedPackets = {
  /** In the order of the timeline. */
  readonly files: readonly [CutFile, ...CutFile[]]
  /** The packets of all files, at their times on the joined timeline. */
  readonly packing: Packing
}

type InPackets = Pick<JoinedPackets, 'files'> & { readonly packing: Packets }

export type CutFile = {
  /** Name inside the job folder. */
  readonly path: string
  /** Its first packet among those of all files. */
  readonly from: number
  /** When it begins on the timeline. */
  readonly startSeconds: number
}

/** Which of the files a packet lies in. */
export function fileOf({ files }: Pick<JoinedPackets, 'files'>, packet: number): number {
  return files.findLastIndex(({ from }) => from <= packet)
}

/** A NAL unit of a packet, such as a slice or a parameter set: its first byte, and where it lies behind its length. */
type StoredUnit = {
  readonly file: number
  readonly first: number
  readonly at: number
  readonly sizeBytes: number
}

/** No picture has this many units of SEI, parameter sets and slices. */
const mostUnits = 300

/** Reads the packets of files, a few bytes of each. A file is opened when it is first read. */
export class PacketUnits implements AsyncDisposable {
  readonly #handles: Promise<FileHandle>[] = []
  readonly #folder: string
  readonly #source: InPackets

  constructor(folder: string, source: InPackets) {
    this.#folder = folder
    this.#source = source
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#handles.map(async (handle) => (await handle).close()))
  }

  /** The NAL units of a packet, as far as they are whole, without reading their content. */
  async *of(packet: number): AsyncGenerator<StoredUnit> {
    const { positions } = this.#source.packing
    const file = fileOf(this.#source, packet)
    let at = positions[packet] ?? 0
    const end = at + this.sizeOf(packet)
    for (let i = 0; i < mostUnits && at + lengthBytes < end; i++) {
      const head = await this.#read({ file, at }, lengthBytes + 1)
      if (head.length <= lengthBytes) return
      const sizeBytes = head.readUInt32BE(0)
      at += lengthBytes
      if (at + sizeBytes > end) return
      if (sizeBytes > 0) yield { file, first: head.readUInt8(lengthBytes), at, sizeBytes }
      at += sizeBytes
    }
  }

  sizeOf(packet: number): number {
    return this.#source.packing.sizes[packet] ?? 0
  }

  /** Bytes of a packet, counted from its beginning. */
  async bytesAt(packet: number, offset: number, count: number): Promise<Buffer> {
    const at = (this.#source.packing.positions[packet] ?? 0) + offset
    return this.#read({ file: fileOf(this.#source, packet), at }, count)
  }

  /** The first bytes of a unit, at most as many as are asked for. */
  async bytesOf(unit: StoredUnit, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
    return this.#read(unit, Math.min(unit.sizeBytes, most))
  }

  async #read({ file, at }: Pick<StoredUnit, 'file' | 'at'>, count: number): Promise<Buffer> {
    const name = this.#source.files[file]?.path
    if (name === undefined) throw new Error('A packet of no file')
    const handle = await (this.#handles[file] ??= open(path.join(this.#folder, name)))
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, at)
    return buffer.subarray(0, bytesRead)
  }
}
