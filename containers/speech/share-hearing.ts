import type { HeardPiece } from './local/recogniser.ts'
import type { SpeechStretch } from './local/find-speech.ts'

/** What there is to hear: a file of samples, and those pieces of it in which somebody speaks. */
export type ToHear = {
  readonly soundPath: string
  /** In samples. */
  readonly length: number
  readonly pieces: readonly SpeechStretch[]
  /** The only model that may write it down, and the language as that names it. */
  readonly model: string
  readonly language: string | undefined
  readonly names: readonly string[]
}

/** Writes down some of the pieces here. */
export type HearHere = (
  pieces: readonly SpeechStretch[],
  signal: AbortSignal,
) => Promise<readonly HeardPiece[]>

/**
 * How much is heard, 0 … 1: of what earlier attempts have left to this one, which tells how fast it goes, and of all there is to
 * hear.
 */
export type OnHeard = (share: number, ofAll: number) => void

/** Has the pieces of a sound written down window by window, by several media workers at a time where others are idle. */
export type ShareHearing = (
  toHear: ToHear,
  hearHere: HearHere,
  onShare: OnHeard,
) => Promise<readonly HeardPiece[]>

/** Of `all` parts, of which earlier attempts have heard `before`. */
export function tellHeard(onHeard: OnHeard, heard: number, before: number, all: number): void {
  const shareOf = (some: number, most: number) => (most === 0 ? 1 : some / most)
  onHeard(shareOf(heard - before, all - before), shareOf(heard, all))
}
