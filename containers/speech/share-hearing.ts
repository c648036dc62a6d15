import type { HeardPiece } from './local/recogniser.ts'
import type { SpeechStretch } from './local/find-speech.ts'

/** A file of samples, and those pieces of it in which somebody speaks. */
export type ToHear = {
  readonly soundPath: string
  /** In samples. */
  readonly length: number
  readonly pieces: readonly SpeechStretch[]
  /** The only model that may transcribe it, and that model's name for the language. */
  readonly model: string
  readonly language: string | undefined
  readonly names: readonly string[]
}

/** Transcribes some of the pieces on this machine. */
export type HearHere = (
  pieces: readonly SpeechStretch[],
  signal: AbortSignal,
) => Promise<readonly HeardPiece[]>

/**
 * Reports the share that is transcribed, 0 … 1: of what earlier attempts have left to this one, which shows the pace, and of
 * everything.
 */
export type OnHeard = (share: number, ofAll: number) => void

/** Has the pieces of a sound transcribed window by window, on several media workers at a time if others are idle. */
export type ShareHearing = (
  toHear: ToHear,
  hearHere: HearHere,
  onShare: OnHeard,
) => Promise<readonly HeardPiece[]>

/** Reports how many of `all` parts are transcribed, `before` of them by earlier attempts. */
export function tellHeard(onHeard: OnHeard, heard: number, before: number, all: number): void {
  const shareOf = (some: number, most: number) => (most === 0 ? 1 : some / most)
  onHeard(shareOf(heard - before, all - before), shareOf(heard, all))
}
