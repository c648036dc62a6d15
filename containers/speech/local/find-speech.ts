/** In samples. */
export type SpeechStretch = { readonly start: number; readonly end: number }

export function totalSamples(stretches: readonly SpeechStretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0)
}

export type ActivitySettings = {
  /** Speech begins at this probability … */
  readonly on: number
  /** … and ends once the probability has stayed below this one … */
  readonly off: number
  /** … for this many samples. */
  readonly leastPause: number
  readonly leastSpeech: number
}

/** Finds where somebody speaks from the probability of each block of samples. */
export function findSpeech(
  probabilities: readonly number[] | Float32Array,
  blockLength: number,
  settings: ActivitySettings,
): SpeechStretch[] {
  const found: SpeechStretch[] = []
  let start: number | undefined
  let quietSince: number | undefined
  const close = (end: number): void => {
    if (start !== undefined && end - start >= settings.leastSpeech) found.push({ start, end })
    start = undefined
    quietSince = undefined
  }
  probabilities.forEach((probability, index) => {
    const at = index * blockLength
    if (probability >= settings.on) {
      start ??= at
      quietSince = undefined
    } else if (start !== undefined && probability < settings.off) {
      quietSince ??= at
      if (at - quietSince >= settings.leastPause) close(quietSince)
    }
  })
  close(quietSince ?? probabilities.length * blockLength)
  return found
}
