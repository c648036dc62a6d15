/**
 * Measurements of an account's sources, in a place that outlives the job. A name stands for everything that decides the
 * measurement. If one cannot be kept or found, it is made again.
 */
export type KeptBytes = {
  readonly find: (name: string) => Promise<Buffer | undefined>
  /** Whether there is room for data that takes about this many bytes when it is packed. */
  readonly takes: (packedBytes: number) => boolean
  readonly keep: (name: string, bytes: Uint8Array) => Promise<void>
}

/** `hashes`: the SHA-256 of each source, in their order. */
export type KeptMeasures = { readonly bytes: KeptBytes; readonly hashes: readonly string[] }
