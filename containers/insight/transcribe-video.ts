import type { ToolContext } from '../ffmpeg/run-tool.ts'
import { JobError } from '../errors/job-error.ts'
import { SpeechFailure, type Speech, type SpeechProvider } from '../speech/speech-provider.ts'
import { carryWords } from './carry/carry-words.ts'
import { onRawTimeline } from './carry/choose-heard.ts'
import { planHearing } from './carry/plan-hearing.ts'
import { recordSpeechSound, type SpokenSources } from './record-speech-sound.ts'
import { settleSpeech } from './settle-speech.ts'

export type TranscriptionRequest = {
  readonly sources: SpokenSources
  /** The length of the finished video according to the plan. */
  readonly durationSeconds: number
  readonly maxAudioBytes: number
  readonly provider: SpeechProvider
  /** Percent. */
  readonly onProgress: (percent: number) => void
}

/**
 * Transcribes the finished video, with times on its timeline, from the sound before any cut or cleaning. Rejects with a
 * `SpeechFailure`, or with the reason of the signal.
 */
export async function transcribeVideo(
  tools: ToolContext,
  request: TranscriptionRequest,
): Promise<Speech> {
  const { sources, durationSeconds, maxAudioBytes, provider, onProgress } = request
  onProgress(0)
  const { heard, cuts } = planHearing(sources, provider.name !== 'local')
  const audio = await recordSpeechSound(tools, sources, heard).catch((error: unknown) => {
    tools.signal.throwIfAborted()
    if (!(error instanceof JobError)) throw error
    throw new SpeechFailure('Failed to extract audio: the sound could not be decoded.', {
      cause: error,
    })
  })
  if (!audio) throw new SpeechFailure('Failed to extract audio: the video has no audio track.')
  if (audio.sizeBytes > maxAudioBytes) {
    throw new SpeechFailure(
      `Audio file too large: ${audio.sizeBytes} bytes, and at most ${maxAudioBytes} can be transcribed.`,
    )
  }
  onProgress(10)
  const raw = settleSpeech(await provider.transcribe(audio, tools), audio.durationSeconds)
  onProgress(100)
  return settleSpeech(carryWords(onRawTimeline(raw, heard), cuts), durationSeconds)
}
