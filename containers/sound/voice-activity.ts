/** How likely it is, block by block, that somebody speaks: over the raw joined timeline, from its beginning. */
export type VoiceActivity = {
  /** Of `speechRate`. */
  readonly blockSamples: number
  /** 0 … 1 */
  readonly probabilities: Float32Array
}

/** Tells voices from other sound. */
export type VoiceDetector = {
  /**
   * Begins to listen to a file of speech sound (`speech-sound.ts`) that may still be written. Every listening has to be
   * stopped.
   */
  listen(file: string, signal: AbortSignal): Listening
}

export type Listening = {
  /** There is more of the file than before. */
  grown(): void
  /** The file is whole: what was heard in all of it. Rejects when the detector failed. */
  finish(): Promise<VoiceActivity>
  /** Nothing reads the file any more when this resolves. */
  stop(): Promise<void>
}
