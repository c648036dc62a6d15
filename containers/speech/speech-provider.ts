import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Speech } from '../timeline/speech.ts'
import type { KeptWindows } from './kept-windows.ts'
import type { ShareHearing } from './share-hearing.ts'

/** A 16 kHz mono MP3 of the raw timeline, or of those of its parts that are transcribed. */
export type SpeechAudio = {
  readonly path: string
  readonly durationSeconds: number
  readonly sizeBytes: number
}

/** A provider uses what it can of these. */
export type HearingHelp = {
  /** Names that may be said, spelled as they are to be written. */
  readonly names?: readonly string[] | undefined
  /** Hears a long sound in windows. Only the local provider can have that done. */
  readonly share?: ShareHearing | undefined
  /** Where a remote provider keeps what it has heard so far. */
  readonly kept?: KeptWindows | undefined
  /** Present if it is asked who speaks, with the number of people if that is known. */
  readonly speakers?: { readonly count?: number | undefined } | undefined
  /** How much is heard, 0 … 1. */
  readonly onShare?: (share: number) => void
}

export interface SpeechProvider {
  readonly name: 'local' | 'openai' | 'cloudflare' | 'deepgram' | 'assemblyai'
  /** Rejects with a `SpeechFailure`, or with the reason of `tools.signal`. */
  transcribe(audio: SpeechAudio, tools: ToolContext, help?: HearingHelp): Promise<Speech>
}

/** Why there is no text; the customer sees the message. */
export class SpeechFailure extends Error {
  override name = 'SpeechFailure'
}
