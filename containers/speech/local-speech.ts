import { rm } from 'node:fs/promises'
import { decodeAudio } from './local/decode-audio.ts'
import { SpeechThread, ThreadDied } from './local/speech-thread-client.ts'
import type { ThreadAnswer } from './local/thread-messages.ts'
import type { LocalTranscript } from './local/transcribe-sound.ts'
import { SpeechFailure, type Speech, type SpeechProvider } from './speech-provider.ts'

export type LocalSpeechSettings = {
  /** `SPEECH_MODEL_DIR` */
  readonly modelDir: string | undefined
  /** `SPEECH_LANGUAGE_FLOOR`: what scores below it is not taken for English. */
  readonly languageFloor: number
  /** `SPEECH_TIMEOUT_SECONDS`, here for one window of speech. */
  readonly timeoutSeconds: number
}

export type LocalSpeech = SpeechProvider & { close(): Promise<void> }

/** English speech to text in this process. One for each media worker: it keeps the models. */
export function createLocalSpeech(settings: LocalSpeechSettings): LocalSpeech {
  const { modelDir, timeoutSeconds, languageFloor } = settings
  const thread = new SpeechThread({ modelDir, stepTimeoutMs: timeoutSeconds * 1_000 })
  return {
    name: 'local',
    transcribe: async (audio, tools) => {
      const soundPath = await decodeAudio(audio, tools)
      try {
        const answer = await askTwice(thread, soundPath, tools.signal)
        tools.signal.throwIfAborted()
        return toSpeech(transcriptOf(answer, timeoutSeconds), languageFloor)
      } finally {
        await rm(soundPath, { force: true })
      }
    },
    close: () => thread.close(),
  }
}

/** The thread may have died of somebody else's sound. */
async function askTwice(
  thread: SpeechThread,
  soundPath: string,
  signal: AbortSignal,
): Promise<ThreadAnswer> {
  try {
    return await thread.transcribe(soundPath, signal)
  } catch (error) {
    if (!(error instanceof ThreadDied)) throw error
    return await thread.transcribe(soundPath, signal)
  }
}

function transcriptOf(answer: ThreadAnswer, timeoutSeconds: number): LocalTranscript {
  switch (answer.type) {
    case 'done':
      return answer.transcript
    case 'timed-out':
      throw new SpeechFailure(`Transcription timed out after ${timeoutSeconds} seconds.`)
    case 'canceled':
      throw new SpeechFailure('Transcription was canceled.')
    case 'failed':
      throw new SpeechFailure('Transcription failed in the local provider.', {
        cause: new Error(answer.cause),
      })
  }
}

function toSpeech({ segments, languageScore }: LocalTranscript, floor: number): Speech {
  if (languageScore < floor) {
    const figures = `score ${languageScore.toFixed(2)}, at least ${floor.toFixed(2)} is taken for English`
    throw new SpeechFailure(
      `Transcription failed: language not supported by the local provider (${figures}).`,
    )
  }
  return { language: 'en', segments }
}
