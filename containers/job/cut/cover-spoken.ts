import path from 'node:path'
import { mostPlaces, type Covered } from '../../../worker/contract/job/report.ts'
import { cutsOf } from '../../insight/carry/plan-hearing.ts'
import { coverWords, type CoveredWords } from '../../insight/cover/cover-words.ts'
import { maskSpeech } from '../../insight/cover/mask-words.ts'
import { coverSound } from '../../sound/cover-sound.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import { soundPath } from '../../sound/record-timeline.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { finishedTime } from '../../timeline/timeline.ts'
import type { JobContext } from '../job-context.ts'
import { thousandths } from '../../numbers/thousandths.ts'

/** Covers the words that the request names, where they are spoken, in the sound of the raw timeline. A plan only says where. */
export async function coverSpoken(
  { job, tools, mayListenMs, areWordsKnown }: JobContext,
  sound: DecodedSound | undefined,
  transcription: Transcription | undefined,
) {
  const { bleep, bleepWith: coverWith = 'tone' } = job.options
  if (!bleep) return { sound, words: undefined }
  const isPlan = mayListenMs !== undefined
  if (isPlan && !areWordsKnown && transcription?.outcome !== 'failed') {
    return { sound: sound && { ...sound, isCovered: true }, words: undefined }
  }
  if (!transcription) return { sound, words: undefined }
  const words = coverWords(transcription, bleep)
  if (!sound || words.spans.length === 0) return { sound, words }
  const { signal } = tools
  const file = path.join(tools.folder, soundPath)
  if (!isPlan) await coverSound(file, words.spans, { coverWith, signal })
  return { sound: { ...sound, isCovered: true }, words }
}

/** A shorter remainder of a covered word does not count. */
const leastSeconds = 0.02

/** The covered stretches that the cuts leave, in the time of the film. */
export function tellCovered(
  words: CoveredWords | undefined,
  cut: CutTimeline,
): Covered | undefined {
  if (!words) return undefined
  const { all } = cutsOf(cut)
  const left = words.spans.filter((span) => all.keptWithin(span) > leastSeconds)
  const timeOf = (moment: number): number =>
    thousandths(finishedTime(all.placeOf(moment), cut.timeline))
  const places = left.slice(0, mostPlaces).map(({ from, to, phrase }) => ({
    ...{ startTime: timeOf(from), endTime: timeOf(to), phrase },
  }))
  return { words: left.length, places }
}

/** The transcript with the words masked that nobody may read. */
export function masked(
  transcription: Transcription,
  { job }: Pick<JobContext, 'job'>,
): Transcription {
  if (transcription.outcome !== 'heard') return transcription
  return { ...transcription, speech: maskSpeech(transcription.speech, job.options.bleep) }
}
