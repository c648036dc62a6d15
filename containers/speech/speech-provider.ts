import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import type { Speech } from '../timeline/speech.ts'
import type { ShareHearing } from './share-hearing.ts'

/** A 16 kHz mono MP3 of the raw timeline, or of those of its parts that are transcribed. */
export type SpeechAudio = {
  readonly path: string
  readonly durationSeconds: number
  readonly sizeBytes: number
}

export interface SpeechProvider {
  readonly name: 'local' | 'openai' | 'cloudflare' | 'deepgram' | 'assemblyai'
  /**
   * Rejects with a `SpeechFailure`, or with the reason of `tools.signal`. `share`: if other media workers may hear some of it,
   * of which only the local provider makes use.
   */
  transcribe(audio: SpeechAudio, tools: ToolContext, share?: ShareHearing): Promise<Speech>
}

/** Why there is no text; the customer sees the message. */
export class SpeechFailure extends Error {
  override name = 'SpeechFailure'
}
