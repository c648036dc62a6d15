import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import { JobError } from '../errors/job-error.ts'
import type { ShareHearing } from '../speech/share-hearing.ts'
import { SpeechFailure, type SpeechProvider } from '../speech/speech-provider.ts'
import type { Speech } from '../timeline/speech.ts'
import { carryWords } from './carry/carry-words.ts'
import { onRawTimeline } from './carry/choose-heard.ts'
import type { CutTimeline } from '../timeline/list-cuts.ts'
import { inFinishedTime } from './carry/in-finished-time.ts'
import { cutsOf, planHearing } from './carry/plan-hearing.ts'
import { recordSpeechSound, type SpokenSources } from './record-speech-sound.ts'
import { placeSpeech, settleSpeech } from './settle-speech.ts'

export type TranscriptionRequest = {
  readonly sources: SpokenSources
  readonly maxAudioBytes: number
  readonly provider: SpeechProvider
  readonly share?: ShareHearing | undefined
  /** Percent. */
  readonly onProgress: (percent: number) => void
}

/**
 * Transcribes the joined clips, with times on their timeline, from the sound before any cut or cleaning. Rejects with a
 * `SpeechFailure`, or with the reason of the signal.
 */
export async function transcribeSources(
  tools: ToolContext,
  { sources, maxAudioBytes, provider, share, onProgress }: TranscriptionRequest,
): Promise<Speech> {
  onProgress(0)
  const heard = planHearing(sources, provider.name !== 'local')
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
  const said = settleSpeech(await provider.transcribe(audio, tools, share), audio.durationSeconds)
  onProgress(100)
  return onRawTimeline(said, heard)
}

/** Moves speech from the joined timeline to that of the finished video, which is this long according to the plan. */
export function carrySpeech(raw: Speech, cut: CutTimeline, durationSeconds: number): Speech {
  const carried = carryWords(raw, cutsOf(cut))
  return placeSpeech(inFinishedTime(carried, cut.timeline), durationSeconds)
}
