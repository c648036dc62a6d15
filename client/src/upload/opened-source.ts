/** What is to be uploaded: what it is called, and its bytes. */
export type SourceFacts = {
  fileName: string | undefined
  contentType: string | undefined
  /** The bytes in one stream. */
  stream: () => AsyncIterable<Uint8Array>
}

export type OpenedSource = SourceFacts & {
  /** Undefined for a stream whose length nobody told. */
  size: number | undefined
  /** The bytes from `start` to before `end`. A stream is read only forward, so ask for one after another. */
  read: (start: number, end: number) => Promise<Blob | Uint8Array<ArrayBuffer>>
  close: () => Promise<void>
}
