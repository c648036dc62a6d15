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
 * Has the pieces of a sound written down window by window, by several media workers at a time where others are idle.
 * `onShare` is told how much of it is done.
 */
export type ShareHearing = (
  toHear: ToHear,
  hearHere: HearHere,
  onShare: (share: number) => void,
) => Promise<readonly HeardPiece[]>
