import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Speech } from '../timeline/speech.ts'
import type { KeptWindows } from './kept-windows.ts'
import type { OnHeard, ShareHearing } from './share-hearing.ts'

/**
 * What is sent away is an MP3. The local provider gets the samples themselves: the frames of an MP3 are counted from where a sound
 * begins, so the same speech would come out otherwise in another part of a film.
 */
export type SpeechFormat = 'mp3' | 'f32le'

/** The raw timeline at 16 kHz in mono, or those of its parts that are transcribed. */
export type SpeechAudio = {
  readonly path: string
  readonly format: SpeechFormat
  readonly durationSeconds: number
  readonly sizeBytes: number
}

/** A provider uses what it can of these. */
export type HearingHelp = {
  /** Names that may be said, spelled as they are to be written. */
  readonly names?: readonly string[] | undefined
  /** Hears a long sound in windows. Only the local provider can have that done. */
  readonly share?: ShareHearing | undefined
  /** Where is kept what was heard so far, for the next attempt. */
  readonly kept?: KeptWindows | undefined
  /** Present if it is asked who speaks, with the number of people if that is known. */
  readonly speakers?: { readonly count?: number | undefined } | undefined
  /** How much is looked through for speech before any of it is heard, 0 … 1. */
  readonly onSurvey?: (share: number) => void
  readonly onShare?: OnHeard
}

export interface SpeechProvider {
  readonly name: 'local' | 'openai' | 'cloudflare' | 'deepgram' | 'assemblyai'
  /** Rejects with a `SpeechFailure`, or with the reason of `tools.signal`. */
  transcribe(audio: SpeechAudio, tools: ToolContext, help?: HearingHelp): Promise<Speech>
}

/** In which form a provider gets the sound. */
export function formatFor({ name }: Pick<SpeechProvider, 'name'>): SpeechFormat {
  return name === 'local' ? 'f32le' : 'mp3'
}

/** Why there is no text; the customer sees the message. */
export class SpeechFailure extends Error {
  override name = 'SpeechFailure'
}
