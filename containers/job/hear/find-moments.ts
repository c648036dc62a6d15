import { limits } from '../../../worker/contract/limits.ts'
import type { Moments } from '../../../worker/contract/job/report.ts'
import { clipsAsked, type ClipsAsked } from '../../../worker/contract/options/moments.ts'
import { asksForMoments, type ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { stackOf } from '../../errors/log.ts'
import {
  questionAbout,
  readChoice,
  type Choice,
  type Chosen,
} from '../../insight/moments/choose-moments.ts'
import { findChapters } from '../../insight/moments/find-chapters.ts'
import { loadGrammar } from '../../insight/moments/grammar.ts'
import { sentencesOf } from '../../insight/moments/sentences.ts'
import { suggestClips } from '../../insight/moments/suggest-clips.ts'
import { talkOf } from '../../insight/moments/talk.ts'
import { ProviderFault } from '../../providers/provider-fault.ts'
import type { JobContext } from '../job-context.ts'
import type { Transcription } from '../../timeline/speech.ts'

export type FoundMoments = {
  readonly moments?: Moments
  /** The language of its titles. */
  readonly language?: string
  readonly warnings: readonly string[]
}

type MomentContext = Pick<JobContext, 'providers' | 'log' | 'signal'> & {
  readonly job: { readonly options: Pick<ProcessingOptions, 'suggestClips' | 'clips' | 'chapters'> }
}

/** Looks for the requested moments in a transcript, in its times. A model, if there is one, chooses them and gives titles. */
export async function findMoments(
  context: MomentContext,
  transcription: Transcription,
  durationSeconds: number,
): Promise<FoundMoments> {
  const { options } = context.job
  if (!asksForMoments(options)) return { warnings: [] }
  const looked = options.suggestClips ?? (options.clips && {})
  const asked = [
    ...(looked ? ['suggestClips'] : []),
    ...(options.chapters ? ['chapters'] : []),
  ].join(', ')
  const why = whyNothing(transcription)
  if (transcription.outcome !== 'heard') return { warnings: [`${asked}: ${why}`.slice(0, 500)] }
  const { speech } = transcription
  const says = await loadGrammar(speech.language)
  const talk = talkOf(sentencesOf(speech), speech.language, says)
  const clips = looked && clipsAsked(looked)
  const found = clips && (await suggestClips(talk, clips, durationSeconds))
  const chapters = options.chapters ? findChapters(talk) : undefined
  const own = { ...(found && { clips: found }), ...(chapters && { chapters }) }
  const none = clips && found?.length === 0 ? noClips(clips) : []
  const isSilent = talk.sentences.length === 0
  const warnings = isSilent ? [`${asked}: nobody speaks in this video.`] : none
  const { language } = speech
  const offered = Math.min(limits.suggestedClips, (clips?.count ?? 0) * choicesEach)
  const wide = clips && { ...clips, count: offered }
  const isAsked = context.providers.analysis.answer !== undefined
  const isFound = (found ?? []).length + (chapters ?? []).length > 0
  if (!isAsked || !isFound) return { moments: own, language, warnings }
  const chosen = await letChoose(context, {
    sentences: talk.sentences,
    clips: wide ? await suggestClips(talk, wide, durationSeconds) : [],
    count: clips?.count ?? 0,
    chapters: chapters ?? [],
  })
  if (!chosen) return { moments: own, language, warnings: [...warnings, `${asked}: ${unasked}`] }
  const moments = {
    ...(found && { clips: [...chosen.clips] }),
    ...(chapters && { chapters: [...chosen.chapters] }),
  }
  return { moments, language, warnings }
}

/** Undefined if the model gave no usable answer. */
async function letChoose(context: MomentContext, choice: Choice): Promise<Chosen | undefined> {
  const { providers, signal, log } = context
  try {
    const told = await providers.analysis.answer?.(questionAbout(choice), signal)
    return readChoice(told, choice)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ProviderFault)) throw error
    log('warn', 'A model could not choose clips', { fault: stackOf(error) })
    return undefined
  }
}

const unasked =
  'the analysis provider gave no usable answer, so choices and titles are those of the service.'

/** For each moment that is wanted, a model chooses among this many. */
const choicesEach = 3

function noClips({ minDuration, maxDuration, about }: ClipsAsked): string[] {
  const lasting = `of whole sentences lasts from ${minDuration} to ${maxDuration} seconds`
  const naming = about === '' ? '' : ` and says "${about}"`
  return [`suggestClips: no part ${lasting}${naming}.`]
}

function whyNothing(transcription: Transcription): string {
  switch (transcription.outcome) {
    case 'heard':
    case 'unasked':
      return 'nobody listened to this video.'
    case 'failed':
      return `left out, because nothing was understood. ${transcription.message}`
    case 'too-long':
      return `the video is longer than ${transcription.mostSeconds} seconds, so it was not listened to.`
  }
}
