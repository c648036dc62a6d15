import { asksForTranscript } from '../../../worker/contract/options/options.ts'
import type {
  AnalysisResult,
  Moments,
  TranscriptResult,
  UploadedOutput,
} from '../../../worker/contract/job/report.ts'
import { JobStop } from '../../errors/job-error.ts'
import type { Transcription } from '../../timeline/speech.ts'
import type { Video } from '../../timeline/finished-video.ts'
import type { SpokenSources } from '../../insight/record-speech-sound.ts'
import { explainFailure, hearVideo } from './hear-speech.ts'
import type { JobContext } from '../job-context.ts'
import { findMoments, type FoundMoments } from './find-moments.ts'
import { finishTranscript } from './finish-transcript.ts'

export type InsightResults = {
  readonly transcript?: TranscriptResult
  readonly analysis?: AnalysisResult
  readonly moments?: Moments
  readonly outputs: readonly UploadedOutput[]
  readonly warnings: readonly string[]
}

/** `video`: undefined if the job makes only sounds, so that no pictures are analysed. */
type InsightFilm = { readonly durationSeconds: number; readonly video: Video | undefined }

/**
 * Transcribes speech during the rendering, unless it is known already; everything that needs the finished video follows
 * it.
 */
type Insights = {
  /** The moments that were looked for in what is said, in a film of this length. */
  readonly moments: (durationSeconds: number) => Promise<FoundMoments>
  finish(film: InsightFilm): Promise<InsightResults>
  /** Stops everything that still runs, and resolves once it has. */
  stop(): Promise<void>
}

type Sources = SpokenSources & {
  /** Undefined if speech was not transcribed before the rendering. */
  readonly transcription: Transcription | undefined
  /** Undefined if moments were not looked for before the rendering. */
  readonly moments?: FoundMoments | undefined
}

export function beginInsights(job: JobContext, sources: Sources, plannedSeconds: number): Insights {
  const ending = new AbortController()
  const signal = AbortSignal.any([job.signal, ending.signal])
  const context: JobContext = { ...job, signal, tools: { ...job.tools, signal } }
  const hearing =
    sources.transcription === undefined
      ? hearVideo(context, sources, plannedSeconds)
      : Promise.resolve(sources.transcription)
  const work: Promise<unknown>[] = [hearing]
  let found: Promise<FoundMoments> | undefined
  const moments = async (seconds: number): Promise<FoundMoments> =>
    sources.moments ?? (found ??= hearing.then(async (said) => findMoments(context, said, seconds)))
  // `finish` reports a failure; if the video fails first, nobody awaits this promise.
  hearing.catch(() => undefined)
  return {
    moments,
    async finish(film) {
      const finishing = finish(context, await hearing, { film, sources, moments })
      work.push(finishing)
      return finishing
    },
    async stop() {
      ending.abort(new JobStop('stopped'))
      await Promise.allSettled(work)
    },
  }
}

async function finish(
  context: JobContext,
  transcription: Transcription,
  finishing: { film: InsightFilm; sources: Sources } & Pick<Insights, 'moments'>,
): Promise<InsightResults> {
  const { options } = context.job
  const { video } = finishing.film
  const { durationSeconds } = finishing.film
  const [transcript, analysis, found] = await Promise.all([
    asksForTranscript(options)
      ? finishTranscript(context, transcription, durationSeconds)
      : undefined,
    options.enableAiAnalysis && video
      ? finishAnalysis(context, transcription, { video, sources: finishing.sources })
      : undefined,
    finishing.moments(durationSeconds),
  ])
  return {
    ...(transcript && { transcript: transcript.result }),
    ...(analysis && { analysis }),
    ...(found.moments && { moments: found.moments }),
    outputs: transcript?.outputs ?? [],
    warnings: [...(transcript?.warnings ?? []), ...found.warnings],
  }
}

async function finishAnalysis(
  context: JobContext,
  transcription: Transcription,
  { video, sources }: { video: Video; sources: Sources },
): Promise<AnalysisResult> {
  const { tools, trace, reporter, providers } = context
  const onProgress = (progress: number): void =>
    reporter.insight('analysis', { status: 'processing', progress })
  const subject = {
    video,
    speech: transcription.outcome === 'heard' ? transcription.speech : undefined,
    coordinates: sources.clips.map(({ facts }) => facts.coordinates).find((found) => found),
  }
  try {
    onProgress(0)
    const { tags, ...found } = await trace.phase('analysing', async () =>
      providers.analysis.analyse(subject, tools, onProgress),
    )
    return { status: 'completed', data: { ...found, tags: [...tags] } }
  } catch (error) {
    return { status: 'failed', message: explainFailure(context, error, 'Analysis failed.') }
  }
}
