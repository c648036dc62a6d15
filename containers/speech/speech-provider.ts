import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Speech } from '../timeline/speech.ts'
import type { KeptWindows } from './kept-windows.ts'
import type { OnHeard, ShareHearing } from './share-hearing.ts'

/**
 * Remote providers get an MP3, the local one the samples themselves: the frames of an MP3 are counted from where a sound
 * begins, so the same speech would be transcribed differently in another part of a film.
 */
export type SpeechFormat = 'mp3' | 'f32le'

/** The raw timeline at 16 kHz in mono, or the parts of it that are transcribed. */
export type SpeechAudio = {
  readonly path: string
  readonly format: SpeechFormat
  readonly durationSeconds: number
}

/** Help for a provider, which uses what it can. */
export type HearingHelp = {
  /** Names that may be said, in the spelling to be used. */
  readonly names?: readonly string[] | undefined
  /** Transcribes a long sound in windows. Only the local provider can have that done. */
  readonly share?: ShareHearing | undefined
  /** The windows transcribed so far, kept for the next attempt. */
  readonly kept?: KeptWindows | undefined
  /** Present if speakers are to be told apart, with the number of people if that is known. */
  readonly speakers?: { readonly count?: number | undefined } | undefined
  /** Reports the share that has been searched for speech, 0 … 1, before any of it is transcribed. */
  readonly onSurvey?: (share: number) => void
  readonly onShare?: OnHeard
}

export interface SpeechProvider {
  readonly name: 'local' | 'openai' | 'cloudflare' | 'deepgram' | 'assemblyai'
  /** Rejects with a `SpeechFailure`, or with the reason of `tools.signal`. */
  transcribe(audio: SpeechAudio, tools: ToolContext, help?: HearingHelp): Promise<Speech>
}

/** The format in which a provider gets the sound. */
export function formatFor({ name }: Pick<SpeechProvider, 'name'>): SpeechFormat {
  return name === 'local' ? 'f32le' : 'mp3'
}

/** Why there is no transcript; the customer sees the message. */
export class SpeechFailure extends Error {
  override name = 'SpeechFailure'
}
