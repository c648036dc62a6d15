import type { ByteWindow } from './byte-window.ts'
import type { ClaimCounts } from './claim-counts.ts'

export type MovBox = { readonly type: string; readonly from: number; readonly to: number }

/** How many samples of raw sound ffmpeg reads at a time. */
const rawPiece = 1024
const rowBytes = {
  stsz: 4,
  stts: 8,
  ctts: 8,
  stsc: 12,
  stss: 4,
  stco: 4,
  co64: 8,
  elst: 12,
} as const
type TableName = keyof typeof rowBytes

/** The tables of one track of an MP4 or MOV, and how many packets they list. */
export class MovTrack {
  id = 0
  readonly #bytes: ByteWindow
  readonly #tables = new Map<TableName, { readonly at: number; readonly count: number }>()
  #isSound = false
  #timescale = 0
  /** Bytes of each sample; 0 if a table lists the sizes. */
  #sampleBytes = 0
  #samples = 0

  constructor(bytes: ByteWindow) {
    this.#bytes = bytes
  }

  async take({ type, from, to }: MovBox, counts: ClaimCounts): Promise<void> {
    const head = await this.#bytes.at(from, 24)
    if (head.length < 16) return
    switch (type) {
      case 'tkhd':
        this.id = head.readUInt32BE(head[0] === 1 ? 20 : 12)
        return
      case 'hdlr':
        this.#isSound ||= head.toString('latin1', 8, 12) === 'soun'
        return
      case 'mdhd':
        this.#timescale = head.readUInt32BE(head[0] === 1 ? 20 : 12)
        return
      case 'elst':
        counts.add('edits', Math.min(head.readUInt32BE(4), (to - from) / rowBytes.elst))
        // The longer rows of version 1 are not read: only their number counts.
        if (head[0] === 0) this.#tables.set(type, { at: from + 8, count: head.readUInt32BE(4) })
        return
      case 'stsz':
      case 'stz2':
        this.#sampleBytes = type === 'stsz' ? head.readUInt32BE(4) : 1
        this.#samples = Math.max(this.#samples, head.readUInt32BE(8))
        this.#tables.set('stsz', { at: from + 12, count: (to - from - 12) / 4 })
        return
      case 'stts':
      case 'ctts':
      case 'stsc':
      case 'stss':
      case 'stco':
      case 'co64':
        this.#tables.set(type, { at: from + 8, count: head.readUInt32BE(4) })
    }
  }
  /** How many packets ffmpeg will list for the track; throws if they are too many. */
  async check(counts: ClaimCounts, movieTimescale: number): Promise<number> {
    for (const name of this.#tables.keys()) counts.checkPackets(this.#rowsOf(name))
    const listed = (await this.#isRawSound()) ? await this.#rawPieces() : this.#claimedSamples()
    counts.checkPackets(listed)
    const edited = await this.#editedPieces(listed, movieTimescale)
    counts.checkPackets(edited)
    return edited
  }

  /** How many bytes of the file the track claims; in an honest file no two packets share any. */
  async bytesWithin(signal: AbortSignal): Promise<number> {
    const sizes = this.#reader('stsz')
    let bytes = 0
    const addSizes = async (samples: number, isWithin: boolean): Promise<void> => {
      for (let i = 0; i < samples && !sizes.isOver; i++) {
        if (sizes.isDry) await sizes.fill()
        if (isWithin) bytes += sizes.number(0)
        sizes.next()
      }
    }
    await this.#eachChunk((offset, samples) => {
      signal.throwIfAborted()
      const isWithin = offset < this.#bytes.size
      if (this.#sampleBytes === 0) return addSizes(samples, isWithin)
      if (isWithin) bytes += samples * this.#sampleBytes
      return undefined
    })
    return bytes
  }

  /** A track with one fixed sample size has no table, so it can claim any number of samples. */
  #claimedSamples(): number {
    return this.#sampleBytes > 0 ? this.#samples : Math.min(this.#samples, this.#rowsOf('stsz'))
  }

  async #isRawSound(): Promise<boolean> {
    if (!this.#isSound || this.#rowsOf('stts') !== 1) return false
    const times = this.#reader('stts')
    await times.fill()
    return times.number(1) === 1
  }

  async #rawPieces(): Promise<number> {
    let pieces = 0
    await this.#eachChunk((_offset, samples) => {
      pieces += Math.ceil(samples / rawPiece)
      return undefined
    })
    return pieces
  }

  /** Every part of an edit list begins at the key frame before it, and ffmpeg lists its packets again. */
  async #editedPieces(listed: number, movieTimescale: number): Promise<number> {
    const edits = this.#rowsOf('elst')
    if (edits < 2) return listed
    let shown = 0
    const parts = this.#reader('elst')
    await parts.each(() => (shown += parts.number(0)))
    let ticks = 0
    const times = this.#reader('stts')
    await times.each(() => (ticks += times.number(0) * times.number(1)))
    const rounds = (shown / Math.max(1, movieTimescale)) * (this.#timescale / Math.max(1, ticks))
    const keys = this.#tables.has('stss') ? Math.max(1, this.#rowsOf('stss')) : listed
    return Math.round(listed * Math.max(1, rounds) + edits * (listed / Math.max(1, keys)))
  }

  /**
   * Visits each chunk with its number of samples, which `stsc` gives for runs of chunks. Waits only when it has to
   * read.
   */
  async #eachChunk(
    visit: (offset: number, samples: number) => Promise<void> | undefined,
  ): Promise<void> {
    const isLong = this.#tables.has('co64')
    const offsets = this.#reader(isLong ? 'co64' : 'stco')
    const runs = this.#reader('stsc')
    let [samples, nextRun, chunk] = [0, 0, 1]
    const advance = async (): Promise<void> => {
      if (runs.isDry) await runs.fill()
      nextRun = runs.isOver ? Number.POSITIVE_INFINITY : runs.number(0)
    }
    await advance()
    for (; !offsets.isOver; chunk++) {
      if (offsets.isDry) await offsets.fill()
      if (chunk >= nextRun) {
        samples = runs.number(1)
        runs.next()
        await advance()
      }
      const high = isLong ? offsets.number(0) * 2 ** 32 : 0
      const waiting = visit(high + offsets.number(isLong ? 1 : 0), samples)
      if (waiting) await waiting
      offsets.next()
    }
  }

  #rowsOf(name: TableName): number {
    const table = this.#tables.get(name)
    if (!table) return 0
    const room = Math.floor(Math.max(0, this.#bytes.size - table.at) / rowBytes[name])
    return Math.min(table.count, room)
  }

  #reader(name: TableName): TableReader {
    return new TableReader(
      this.#bytes,
      this.#tables.get(name) ?? { at: 0, count: 0 },
      rowBytes[name],
    )
  }
}

const mostRowsAtOnce = 4_096

/**
 * Reads a table of 32-bit numbers row by row. Rows that are already in memory need no turn of the event loop: check
 * `isDry` before every `next`.
 */
class TableReader {
  readonly #bytes: ByteWindow
  #at: number
  #left: number
  readonly #rowBytes: number
  #rows: Buffer = Buffer.alloc(0)
  #read = 0

  constructor(
    bytes: ByteWindow,
    { at, count }: { at: number; count: number },
    rowBytes: 4 | 8 | 12,
  ) {
    this.#bytes = bytes.beside()
    this.#at = at
    this.#rowBytes = rowBytes
    // Ignore rows that would lie beyond the end of the file.
    this.#left = Math.min(count, Math.floor(Math.max(0, bytes.size - at) / rowBytes))
  }

  get isDry(): boolean {
    return this.#read >= this.#rows.length && this.#left > 0
  }

  get isOver(): boolean {
    return this.#read >= this.#rows.length && this.#left === 0
  }

  async fill(): Promise<void> {
    const rows = Math.min(this.#left, mostRowsAtOnce)
    this.#rows = await this.#bytes.at(this.#at, rows * this.#rowBytes)
    this.#read = 0
    this.#at += rows * this.#rowBytes
    this.#left = this.#rows.length < rows * this.#rowBytes ? 0 : this.#left - rows
  }

  /** One number of the current row. */
  number(place: number): number {
    const at = this.#read + place * 4
    return at + 4 <= this.#rows.length ? this.#rows.readUInt32BE(at) : 0
  }

  next(): void {
    this.#read += this.#rowBytes
  }

  /** Calls `row` for every remaining row. */
  async each(row: () => void): Promise<void> {
    while (!this.isOver) {
      if (this.isDry) await this.fill()
      if (this.#read >= this.#rows.length) return
      row()
      this.next()
    }
  }
}
