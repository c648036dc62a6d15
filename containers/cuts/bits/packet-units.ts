import { open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { fileOf, type CutSource } from '../cut-model.ts'

/** A unit of a packet, such as a slice or a parameter set: its first byte, and where it lies behind its length. */
export type Unit = {
  readonly file: number
  readonly first: number
  readonly at: number
  readonly sizeBytes: number
}

/** Messages, parameter sets and slices of a picture; there are never this many of them. */
const mostUnits = 300
const lengthBytes = 4

type Stored = Pick<CutSource, 'files' | 'packing'>

/** Reads the packets of files, a few bytes of each. */
export class PacketUnits {
  readonly #handles: FileHandle[] = []
  readonly #source: Stored

  private constructor(source: Stored) {
    this.#source = source
  }

  static async open(folder: string, source: Stored): Promise<PacketUnits> {
    const units = new PacketUnits(source)
    try {
      for (const file of source.files) units.#handles.push(await open(path.join(folder, file.path)))
    } catch (error) {
      await units.close()
      throw error
    }
    return units
  }

  async close(): Promise<void> {
    await Promise.all(this.#handles.map(async (handle) => handle.close()))
  }

  /** The units of a packet, as far as they are whole. */
  async *of(packet: number): AsyncGenerator<Unit> {
    const { positions, sizes } = this.#source.packing
    const file = fileOf(this.#source, packet)
    let at = positions[packet] ?? 0
    const end = at + (sizes[packet] ?? 0)
    for (let i = 0; i < mostUnits && at + lengthBytes < end; i++) {
      const head = await this.#read({ file, at }, lengthBytes + 1)
      if (head.length <= lengthBytes) return
      const sizeBytes = head.readUInt32BE(0)
      const next = at + lengthBytes + sizeBytes
      if (sizeBytes === 0 || next > end) return
      yield { file, first: head.readUInt8(lengthBytes), at: at + lengthBytes, sizeBytes }
      at = next
    }
  }

  sizeOf(packet: number): number {
    return this.#source.packing.sizes[packet] ?? 0
  }

  /** Bytes of a packet, counted from where it begins. */
  async bytesAt(packet: number, offset: number, count: number): Promise<Buffer> {
    const at = (this.#source.packing.positions[packet] ?? 0) + offset
    return this.#read({ file: fileOf(this.#source, packet), at }, count)
  }

  /** The first bytes of a unit, at most as many as are asked for. */
  async bytesOf(unit: Unit, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
    return this.#read(unit, Math.min(unit.sizeBytes, most))
  }

  async #read({ file, at }: Pick<Unit, 'file' | 'at'>, count: number): Promise<Buffer> {
    const found = await this.#handles[file]?.read(Buffer.alloc(count), 0, count, at)
    if (!found) throw new Error('A packet of no file')
    return found.buffer.subarray(0, found.bytesRead)
  }
}
