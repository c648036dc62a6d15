import { speakersAsked } from '../../../worker/contract/options/speakers.ts'
import { asksForTranscript } from '../../../worker/contract/options/options.ts'
import { JobStop } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import { AnalysisFailure } from '../../insight/analysis-provider.ts'
import { hearFillers, type FillerSources } from '../../insight/edit/hear-fillers.ts'
import type { SpokenSources } from '../../insight/record-speech-sound.ts'
import {
  carrySpeech,
  transcribeSources,
  type TranscriptionRequest,
} from '../../insight/transcribe-video.ts'
import type { FillerSounds } from '../../insight/edit/unexplained-sounds.ts'
import { nameSpeakers, type TellSpeakers } from '../../insight/tell-speakers.ts'
import { ProviderFault } from '../../providers/provider-fault.ts'
import { SpeechFailure } from '../../speech/speech-provider.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import { keptTime } from '../../timeline/timeline.ts'
import type { Speech, Transcription } from '../../timeline/speech.ts'
import type { JobContext } from '../job-context.ts'
import { hearOnce } from './hear-once.ts'
import { windowHearing } from './hear-in-windows.ts'

/** Transcribes for the transcript and the analysis, with times in the finished video, which is this long. */
export async function hearVideo(
  context: JobContext,
  sources: SpokenSources,
  durationSeconds: number,
): Promise<Transcription> {
  const { options } = context.job
  if (!asksForTranscript(options) && !options.enableAiAnalysis) return { outcome: 'unasked' }
  const said = await context.trace.phase('transcribing', async () =>
    transcribe(context, sources, keptTime(durationSeconds, sources.timeline), { alone: true }),
  )
  return carried(said, sources, durationSeconds)
}

/** `alone`: other media workers are rendering pictures meanwhile. */
type HowToHear = { readonly onShare?: (share: number) => void; readonly alone?: boolean }

/** Transcribes what the cuts leave of the joined timeline, with times on it; that much lasts `durationSeconds`. */
export async function transcribe(
  context: JobContext,
  sources: SpokenSources,
  durationSeconds: number,
  { onShare = () => undefined, alone = false }: HowToHear = {},
): Promise<Transcription> {
  const { job, settings, tools, reporter, providers } = context
  const isTold = asksForTranscript(job.options)
  const { vocabulary: names = [] } = job.options
  const mostSeconds = settings.MAX_TRANSCRIPTION_SECONDS
  if (durationSeconds > mostSeconds) {
    if (isTold) reporter.insight('transcript', { status: 'not_requested' })
    return { outcome: 'too-long', mostSeconds }
  }
  const isLocal = providers.speech.name === 'local'
  const share = isLocal ? await windowHearing(context, durationSeconds, { alone }) : undefined
  const speakers = speakersAsked(job.options)
  const request: TranscriptionRequest = {
    sources,
    ...{ provider: providers.speech, help: { names, share, kept: context.kept, speakers } },
    ...(speakers && { tell: orUntold(context) }),
    onProgress(progress, ofAttempt) {
      onShare(ofAttempt / 100)
      if (isTold)
        reporter.insight('transcript', { status: 'processing', progress }, ofAttempt / 100)
    },
  }
  try {
    const hear = async (): Promise<Speech> => transcribeSources(tools, request)
    const speech = await hearOnce(context, { ...sources, names, speakers }, hear)
    return { outcome: 'heard', speech: speakers ? nameSpeakers(speech, speakers.names) : speech }
  } catch (error) {
    const message = explainFailure(context, error, 'Transcription failed.')
    return { outcome: 'failed', message }
  }
}

/** Tells who speaks; if that fails, keeps the words without speakers and adds a warning. */
function orUntold(context: JobContext): TellSpeakers {
  return async (speech, ...asked) => {
    try {
      return await context.providers.tellSpeakers(speech, ...asked)
    } catch (error) {
      explainFailure(context, error, '')
      return speech
    }
  }
}

export const noSounds: FillerSounds = { unwritten: [] }

type Listened = Pick<FillerSources, 'clips' | 'timeline' | 'removed' | 'joints'> & {
  readonly sound: DecodedSound | undefined
  readonly transcription: Transcription
}

/**
 * Listens for fillers, for this option. If that fails, only those that the recogniser wrote are known, and a warning says
 * so.
 */
export async function listenForFillers(
  context: JobContext,
  { transcription, sound, ...timeline }: Listened,
  option: 'removeFillers' | 'analyzeOnly',
): Promise<{ sounds: FillerSounds; warnings: string[] }> {
  if (transcription.outcome !== 'heard' || !sound) return { sounds: noSounds, warnings: [] }
  const { tools, providers } = context
  const { speech } = transcription
  try {
    const sounds = await hearFillers(tools, { ...timeline, sound, speech }, providers)
    return { sounds, warnings: [] }
  } catch (error) {
    explainFailure(context, error, '')
    const warning = `${option}: only fillers that are written in the transcript were found, because listening to the others failed.`
    return { sounds: noSounds, warnings: [warning] }
  }
}

/** Moves what was transcribed on the joined timeline to the times of the finished video. */
export function carried(
  transcription: Transcription,
  cut: CutTimeline,
  durationSeconds: number,
): Transcription {
  if (transcription.outcome !== 'heard') return transcription
  return { outcome: 'heard', speech: carrySpeech(transcription.speech, cut, durationSeconds) }
}

/**
 * Returns the message for the customer; rethrows an error that ends the job. A failed transcript or analysis never fails the
 * video.
 */
export function explainFailure(
  { log, signal }: Pick<JobContext, 'log' | 'signal'>,
  error: unknown,
  otherwise: string,
): string {
  signal.throwIfAborted()
  if (error instanceof JobStop) throw error
  const isTold = error instanceof SpeechFailure || error instanceof AnalysisFailure
  // A provider that fails is for the operator to see, and a film without speech is not.
  const isExpected = isTold && !(error.cause instanceof ProviderFault)
  log(isExpected ? 'warn' : 'error', 'A transcript or an analysis failed', {
    ...(isTold && { error: error.message }),
    fault: stackOf(error),
  })
  return isTold ? error.message.slice(0, 500) : otherwise
}
