import { rm } from 'node:fs/promises'
import { confidenceIn } from './doubtful-text.ts'
import { decodeAudio } from './local/decode-audio.ts'
import { NoAnswer } from '../models/model-tasks.ts'
import { ThreadDied } from '../models/model-thread.ts'
import type { SpeechThread } from './local/speech-thread-client.ts'
import { surveyInRanges } from './local/kept-survey.ts'
import type { NamedSound } from './local/thread-messages.ts'
import { sureScore } from './local/moonshine/language-score.ts'
import type { LocalTranscript } from './local/transcribe-sound.ts'
import type { HearHere, OnHeard, ShareHearing } from './share-hearing.ts'
import type { KeptWindows } from './kept-windows.ts'
import { SpeechFailure, type SpeechProvider } from './speech-provider.ts'
import type { Speech } from '../timeline/speech.ts'

export type LocalSpeechSettings = {
  /** Sounds that score lower are refused as not English; decision 024 says how it was chosen. */
  readonly languageFloor?: number
  /** `SPEECH_TIMEOUT_SECONDS`, here for each window of speech. */
  readonly timeoutSeconds: number
}

type HearingThread = Pick<
  SpeechThread,
  'prepare' | 'transcribe' | 'activity' | 'blocks' | 'spoken' | 'divide' | 'hear' | 'conclude'
>

/** Turns speech into text in this process. */
export function createLocalSpeech(
  thread: HearingThread,
  { timeoutSeconds, languageFloor = -1 }: LocalSpeechSettings,
): SpeechProvider {
  return {
    name: 'local',
    transcribe: async (
      audio,
      tools,
      { names = [], share, kept, onSurvey, onShare = () => undefined } = {},
    ) => {
      const soundPath = await decodeAudio(audio, tools)
      const { signal } = tools
      try {
        const transcript = share
          ? await hearInWindows(thread, {
              ...{ soundPath, names, share, kept, onSurvey, onShare, signal },
            })
          : await askTwice(async () => thread.transcribe({ soundPath, names }, signal))
        return toSpeech(transcript, languageFloor)
      } catch (error) {
        throw error instanceof NoAnswer ? failureOf(error, timeoutSeconds) : error
      } finally {
        await rm(soundPath, { force: true })
      }
    },
  }
}

type InWindows = NamedSound & {
  readonly share: ShareHearing
  readonly kept: KeptWindows | undefined
  readonly onSurvey: ((share: number) => void) | undefined
  readonly onShare: OnHeard
  readonly signal: AbortSignal
}

/** Gives the same transcript that the thread would make by itself. */
async function hearInWindows(
  thread: HearingThread,
  { soundPath, names, share, kept, onSurvey, onShare, signal }: InWindows,
): Promise<LocalTranscript> {
  const model = await askTwice(async () => thread.prepare())
  signal.throwIfAborted()
  const twice = {
    activity: async (...asked) => askTwice(async () => thread.activity(...asked)),
    blocks: async (...asked) => askTwice(async () => thread.blocks(...asked)),
    spoken: async (...asked) => askTwice(async () => thread.spoken(...asked)),
    divide: async (...asked) => askTwice(async () => thread.divide(...asked)),
  } satisfies Partial<HearingThread>
  const sound = { soundPath, names, model }
  const asked = { kept, signal, onShare: onSurvey }
  const { survey, length } = await surveyInRanges(twice, sound, asked)
  const { pieces, language } = survey
  const toHear = { soundPath, length, pieces, model, language, names }
  const hearHere: HearHere = async (some, signal) =>
    askTwice(async () => thread.hear({ ...toHear, from: 0, pieces: some }, signal))
  const written = await share(toHear, hearHere, onShare)
  return askTwice(async () => thread.conclude({ soundPath, survey, written }, signal))
}

/** Asks a second time, because the sound of another job may have ended the thread. */
async function askTwice<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ThreadDied)) throw error
    return await ask()
  }
}

function failureOf(cause: NoAnswer, timeoutSeconds: number): SpeechFailure {
  const messages: Record<NoAnswer['kind'], string> = {
    'timed-out': `Transcription timed out after ${timeoutSeconds} seconds.`,
    canceled: 'Transcription was canceled.',
    failed: 'Transcription failed in the local provider.',
  }
  return new SpeechFailure(messages[cause.kind], { cause })
}

/** How certain the recogniser is, with a doubt if that is not enough. */
function toSpeech(transcript: LocalTranscript, floor: number): Speech {
  const { language, segments, confidence, englishScore } = transcript
  if (englishScore === undefined) return { language, segments, ...confidenceIn(confidence) }
  return englishOnly({ language, segments, confidence: confidence ?? 0 }, englishScore, floor)
}

type English = Speech & { readonly confidence: number }

/** Refuses a text that is certainly made up, and doubts one that may be. Without a text nothing is made up. */
function englishOnly(speech: English, score: number, floor: number): Speech {
  const { segments, confidence } = speech
  if (segments.length > 0 && score < floor) {
    const figures = `score ${score.toFixed(2)}, at least ${floor.toFixed(2)} is taken for English`
    throw new SpeechFailure(
      `Transcription failed: language not supported by the local provider (${figures}).`,
    )
  }
  return score < sureScore ? { ...speech, doubt: doubtOf(segments.length > 0, confidence) } : speech
}

function doubtOf(isWritten: boolean, confidence: number): string {
  const figure = `(confidence ${confidence.toFixed(2)})`
  return isWritten
    ? `it is not certain that English is spoken, the only language the local provider knows, so the text may be wrong ${figure}.`
    : `somebody seems to speak, but the local provider, which knows English only, understood nothing ${figure}.`
}
