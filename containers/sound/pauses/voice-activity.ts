/** The probability that somebody speaks, for each block of the raw joined timeline from its beginning. */
export type VoiceActivity = {
  /** The length of a block, in samples at `speechRate`. */
  readonly blockSamples: number
  /** 0 … 1 */
  readonly probabilities: Float32Array
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
