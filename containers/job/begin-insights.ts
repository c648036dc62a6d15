import { maxTranscriptionSeconds } from '../../worker/contract/limits.ts'
import type {
  AnalysisResult,
  TranscriptResult,
  UploadedOutput,
} from '../../worker/contract/report.ts'
import { stackOf } from '../errors/log.ts'
import { JobStop } from '../errors/job-error.ts'
import { SpeechFailure, type Speech } from '../speech/speech-provider.ts'
import type { Video } from '../timeline/finished-video.ts'
import { AnalysisFailure } from '../insight/analysis-provider.ts'
import type { SpokenSources } from '../insight/record-speech-sound.ts'
import { textOf } from '../insight/settle-speech.ts'
import { transcribeVideo } from '../insight/transcribe-video.ts'
import type { JobContext } from './job-context.ts'
import { storeTranscript } from './store-transcript.ts'

export type InsightResults = {
  readonly transcript?: TranscriptResult
  readonly analysis?: AnalysisResult
  readonly outputs: readonly UploadedOutput[]
  readonly warnings: readonly string[]
}

/** Transcribes speech during the rendering; everything that needs the finished video follows it. */
export type Insights = {
  finish(video: Video): Promise<InsightResults>
  /** Stops what still runs; resolves once nothing of it runs any more. */
  stop(): Promise<void>
}

type Heard =
  | { outcome: 'heard'; speech: Speech }
  | { outcome: 'failed'; message: string }
  | { outcome: 'too-long' }
  | { outcome: 'unasked' }

export function beginInsights(
  job: JobContext,
  sources: SpokenSources,
  plannedSeconds: number,
): Insights {
  const ending = new AbortController()
  const signal = AbortSignal.any([job.signal, ending.signal])
  const context: JobContext = { ...job, signal, tools: { ...job.tools, signal } }
  const hearing = hear(context, sources, plannedSeconds)
  const work: Promise<unknown>[] = [hearing]
  // `finish` reports a failure; if the video fails first, nobody awaits this promise.
  hearing.catch(() => undefined)
  return {
    async finish(video) {
      const finishing = finish(context, await hearing, { video, sources })
      work.push(finishing)
      return finishing
    },
    async stop() {
      ending.abort(new JobStop('stopped'))
      await Promise.allSettled(work)
    },
  }
}

async function hear(
  context: JobContext,
  sources: SpokenSources,
  durationSeconds: number,
): Promise<Heard> {
  const { job, settings, tools, trace, reporter, providers } = context
  const { enableTranscription, enableAiAnalysis } = job.options
  if (!enableTranscription && !enableAiAnalysis) return { outcome: 'unasked' }
  if (durationSeconds > maxTranscriptionSeconds) {
    if (enableTranscription) reporter.insight('transcript', { status: 'not_requested' })
    return { outcome: 'too-long' }
  }
  const onProgress = (progress: number): void => {
    if (enableTranscription) reporter.insight('transcript', { status: 'processing', progress })
  }
  const maxAudioBytes = settings.SPEECH_MAX_AUDIO_BYTES
  const request = {
    sources,
    durationSeconds,
    maxAudioBytes,
    provider: providers.speech,
    onProgress,
  }
  try {
    const speech = await trace.phase('transcribing', async () => transcribeVideo(tools, request))
    return { outcome: 'heard', speech }
  } catch (error) {
    return { outcome: 'failed', message: explain(context, error, 'Transcription failed.') }
  }
}

type Finishing = { video: Video; sources: SpokenSources }

async function finish(
  context: JobContext,
  heard: Heard,
  finishing: Finishing,
): Promise<InsightResults> {
  const { enableTranscription, enableAiAnalysis } = context.job.options
  const [transcript, analysis] = await Promise.all([
    enableTranscription ? finishTranscript(context, heard, finishing.video) : undefined,
    enableAiAnalysis ? finishAnalysis(context, heard, finishing) : undefined,
  ])
  return {
    ...(transcript && { transcript: transcript.result }),
    ...(analysis && { analysis }),
    outputs: transcript?.outputs ?? [],
    warnings: transcript?.warnings ?? [],
  }
}

type Transcribed = { result: TranscriptResult; outputs: UploadedOutput[]; warnings: string[] }

async function finishTranscript(
  context: JobContext,
  heard: Heard,
  video: Video,
): Promise<Transcribed> {
  const nothing = { outputs: [], warnings: [] }
  switch (heard.outcome) {
    case 'unasked':
    case 'too-long': {
      const warning = `enableTranscription: the video is longer than ${maxTranscriptionSeconds} seconds, so it was not transcribed.`
      return { ...nothing, result: { status: 'not_requested' }, warnings: [warning] }
    }
    case 'failed':
      return { ...nothing, result: { status: 'failed', message: heard.message } }
    case 'heard':
      try {
        const { speech } = heard
        const outputs = await storeTranscript(context, speech, video.facts.durationSeconds)
        const { language, confidence, doubt } = speech
        const told = {
          text: textOf(speech),
          language,
          ...(confidence !== undefined && { confidence }),
        }
        const warnings = doubt === undefined ? [] : [`enableTranscription: ${doubt}`]
        return { outputs, result: { status: 'completed', ...told }, warnings }
      } catch (error) {
        const message = explain(context, error, 'The transcript could not be stored.')
        return { ...nothing, result: { status: 'failed', message } }
      }
  }
}

async function finishAnalysis(
  context: JobContext,
  heard: Heard,
  { video, sources }: Finishing,
): Promise<AnalysisResult> {
  const { tools, trace, reporter, providers } = context
  const onProgress = (progress: number): void =>
    reporter.insight('analysis', { status: 'processing', progress })
  const subject = {
    video,
    speech: heard.outcome === 'heard' ? heard.speech : undefined,
    coordinates: sources.clips.map(({ facts }) => facts.coordinates).find((found) => found),
  }
  try {
    onProgress(0)
    const { tags, ...found } = await trace.phase('analysing', async () =>
      providers.analysis.analyse(subject, tools, onProgress),
    )
    return { status: 'completed', data: { ...found, tags: [...tags] } }
  } catch (error) {
    return { status: 'failed', message: explain(context, error, 'Analysis failed.') }
  }
}

/**
 * Returns the message for the customer; rethrows what ends the job. A failed transcript or analysis never fails the
 * video.
 */
function explain({ log, signal }: JobContext, error: unknown, otherwise: string): string {
  signal.throwIfAborted()
  if (error instanceof JobStop) throw error
  const isTold = error instanceof SpeechFailure || error instanceof AnalysisFailure
  log(isTold ? 'warn' : 'error', 'A transcript or an analysis failed', { fault: stackOf(error) })
  return isTold ? error.message.slice(0, 500) : otherwise
}
