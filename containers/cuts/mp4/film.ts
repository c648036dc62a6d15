/** A packet of a film: where it is stored, and when its picture is shown. */
type Packet = {
  /** The index of the file. */
  readonly file: number
  readonly position: number
  readonly sizeBytes: number
  /** In ticks of the time scale, from the start of the film. */
  readonly at: number
  /** Whether players may begin with it. */
  readonly isKey: boolean
  /** Whether this service may begin with it, which takes more than for players; as `isKey` if undefined. */
  readonly isEntry?: boolean
  /** A part of the hash of its bytes, if that is known. */
  readonly sum?: number | undefined
}

/** The packets of a film in decoding order. In columns, because hours of film have a million of them. */
export type Samples = {
  readonly files: Uint8Array
  readonly positions: Float64Array
  readonly sizes: Float64Array
  readonly shown: Float64Array
  readonly keys: Uint8Array
  readonly entries: Uint8Array
  /** NaN where it is not known; undefined if it is known of none. */
  readonly sums?: Float64Array | undefined
}

/** Collects at most `most` packets. */
export function collectSamples(most: number, { hasSums = false } = {}) {
  const columns: Samples = {
    files: new Uint8Array(most),
    positions: new Float64Array(most),
    sizes: new Float64Array(most),
    shown: new Float64Array(most),
    keys: new Uint8Array(most),
    entries: new Uint8Array(most),
    sums: hasSums ? new Float64Array(most) : undefined,
  }
  let count = 0
  return {
    add({ file, position, sizeBytes, at, isKey, isEntry = isKey, sum = Number.NaN }: Packet): void {
      if (count >= most) throw new RangeError(`A film of more than ${most} packets`)
      columns.files[count] = file
      columns.positions[count] = position
      columns.sizes[count] = sizeBytes
      columns.shown[count] = at
      columns.keys[count] = isKey ? 1 : 0
      columns.entries[count] = isEntry ? 1 : 0
      if (columns.sums) columns.sums[count] = sum
      count += 1
    },
    finish: (): Samples => ({
      files: columns.files.subarray(0, count),
      positions: columns.positions.subarray(0, count),
      sizes: columns.sizes.subarray(0, count),
      shown: columns.shown.subarray(0, count),
      keys: columns.keys.subarray(0, count),
      entries: columns.entries.subarray(0, count),
      sums: columns.sums?.subarray(0, count),
    }),
  }
}
