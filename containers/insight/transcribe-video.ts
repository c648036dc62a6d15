import type { ToolContext } from '../ffmpeg/process/run-tool.ts'
import { JobError } from '../errors/job-error.ts'
import {
  formatFor,
  SpeechFailure,
  type HearingHelp,
  type SpeechProvider,
} from '../speech/speech-provider.ts'
import { retimeSpeech, withoutSpeakers, type Speech } from '../timeline/speech.ts'
import { carryWords } from './carry/carry-words.ts'
import { onRawTimeline } from './carry/choose-heard.ts'
import type { CutTimeline } from '../timeline/list-cuts.ts'
import { cutsOf, planHearing } from './carry/plan-hearing.ts'
import { recordSpeechSound, type SpokenSources } from './record-speech-sound.ts'
import { placeSpeech, tidySpeech } from './tidy-speech.ts'
import type { TellSpeakers } from './tell-speakers.ts'
import { finishedTime, joinedSeconds } from '../timeline/timeline.ts'

/**
 * The percentage at which the first word is transcribed, and that at which all are: before it, the sound is searched for
 * speech; after it, voices are told apart. Each share is that of its time, so that the pace of one part foretells the others.
 */
const percents = { written: { begun: 12, heard: 99 }, told: { begun: 9, heard: 80 } } as const

export type TranscriptionRequest = {
  readonly sources: SpokenSources
  readonly provider: SpeechProvider
  readonly help?: HearingHelp
  /** Tells speakers apart if the provider does not. */
  readonly tell?: TellSpeakers
  /** Reports the percentage of all work, and of the work that earlier attempts have left to this one. */
  readonly onProgress: (percent: number, ofAttempt: number) => void
}

export const nothingToHear = 'Failed to extract audio: the video has no audio track.'

/**
 * Transcribes the joined clips, with times on their timeline, from the sound before any cut or cleaning. Rejects with a
 * `SpeechFailure`, or with the reason of the signal.
 */
export async function transcribeSources(
  tools: ToolContext,
  { sources, provider, help, tell, onProgress }: TranscriptionRequest,
): Promise<Speech> {
  onProgress(0, 0)
  const heard = planHearing(sources, provider.name !== 'local')
  const audio = await recordSpeechSound(tools, sources, {
    ...{ heard, format: formatFor(provider) },
  }).catch((error: unknown) => {
    tools.signal.throwIfAborted()
    if (!(error instanceof JobError)) throw error
    throw new SpeechFailure('Failed to extract audio: the sound could not be decoded.', {
      cause: error,
    })
  })
  if (!audio) throw new SpeechFailure(nothingToHear)
  const { begun, heard: all } = tell ? percents.told : percents.written
  const progressIn =
    (from: number, to: number) =>
    (share: number, ofAll = share): void => {
      const percent = (part: number) => Math.round(from + (to - from) * part)
      onProgress(percent(ofAll), percent(share))
    }
  const speech = await provider.transcribe(audio, tools, {
    ...help,
    onSurvey: progressIn(0, begun),
    onShare: progressIn(begun, all),
  })
  const tidied = tidySpeech(speech, audio.durationSeconds)
  // Some servers tell unasked who speaks.
  const said = help?.speakers ? tidied : withoutSpeakers(tidied)
  const isTold = said.segments.some(({ speaker }) => speaker !== undefined)
  const asked = { tools, count: help?.speakers?.count, kept: help?.kept }
  const told =
    isTold || !tell ? said : await tell(said, audio, { ...asked, onShare: progressIn(all, 99) })
  onProgress(100, 100)
  return onRawTimeline(told, heard)
}

/** Moves speech from the joined timeline to that of the finished video, which is this long according to the plan. */
export function carrySpeech(raw: Speech, cut: CutTimeline, durationSeconds: number): Speech {
  const carried = carryWords(endedAt(raw, joinedSeconds(cut.timeline)), cutsOf(cut))
  // A change of the film's speed moves the words.
  const finished = retimeSpeech(carried, (seconds) => finishedTime(seconds, cut.timeline))
  return placeSpeech(finished, durationSeconds)
}

/** What is still said or shown when the sources end goes on until then: their end is not a cut that takes words away. */
function endedAt(speech: Speech, seconds: number): Speech {
  const cutOff = <T extends { readonly startTime: number; readonly endTime: number }>(one: T): T =>
    one.startTime < seconds && one.endTime > seconds ? { ...one, endTime: seconds } : one
  const segments = speech.segments.map((segment) => {
    const { words, ...own } = cutOff(segment)
    return { ...own, ...(words && { words: words.map(cutOff) }) }
  })
  return { ...speech, segments }
}
