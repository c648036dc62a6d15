/** The probability that somebody speaks, for each block of the raw joined timeline from its beginning. */
export type VoiceActivity = {
  /** The length of a block, in samples at `speechRate`. */
  readonly blockSamples: number
  /** 0 … 1 */
  readonly probabilities: Float32Array
}

/** As bytes: the length of a block, and then the probabilities. */
export function packVoices({ blockSamples, probabilities }: VoiceActivity): Buffer {
  const { buffer, byteOffset, byteLength } = probabilities
  const length = Buffer.alloc(4)
  length.writeUInt32LE(blockSamples)
  return Buffer.concat([length, Buffer.from(buffer, byteOffset, byteLength)])
}

/** Undefined if it cannot be read. */
export function unpackVoices(packed: Buffer): VoiceActivity | undefined {
  if (packed.length < 4 || packed.length % 4 !== 0) return undefined
  const blockSamples = packed.readUInt32LE(0)
  const bytes = Uint8Array.from(packed.subarray(4))
  return blockSamples > 0
    ? { blockSamples, probabilities: new Float32Array(bytes.buffer) }
    : undefined
}

/** Distinguishes voices from other sound. */
export type VoiceDetector = {
  /**
   * Starts to analyse a file of speech sound (`speech-sound.ts`) that may still be growing. Callers must always call
   * `stop`.
   */
  listen(file: string, signal: AbortSignal): Listening
}

export type Listening = {
  /** Tells that the file has grown. */
  grown(): void
  /** Tells that the file is complete, and returns the activity in all of it. Rejects if the detector failed. */
  finish(): Promise<VoiceActivity>
  /** Resolves once nothing reads the file any more. */
  stop(): Promise<void>
}
