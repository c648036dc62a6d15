import { limits } from '../../../worker/contract/limits.ts'
import type {
  Suggestion,
  TranscriptResult,
  UploadedOutput,
} from '../../../worker/contract/job/report.ts'
import { fillersIn, whyUnheard } from '../../insight/edit/cut-spoken.ts'
import { listSuggestions } from '../../insight/edit/list-suggestions.ts'
import type { SpokenSources } from '../../insight/record-speech-sound.ts'
import { lookForPauses, type FoundPauses } from '../../sound/pauses/cut-pauses.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import { fileCuts } from '../../timeline/cut-list.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import { frameCount, subtractSpans, type FrameSpan } from '../../timeline/frame-spans.ts'
import type { Heard } from '../../timeline/speech.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { finishTranscript } from './begin-insights.ts'
import { carried, hearSources, listenForFillers } from './hear-speech.ts'
import { progressOf, type FetchedFiles, type InPhase, type JobContext } from '../job-context.ts'
import { measureJob, type MeasuredJob } from '../measure/measure-job.ts'
import type { TextFonts } from '../measure/text-fonts.ts'
import { withWallClock } from '../wall-clock.ts'

export type Analyzed = {
  readonly outputs: UploadedOutput[]
  readonly warnings: string[]
  readonly transcript: TranscriptResult
  readonly suggestions: Suggestion[]
}

/** Listens to the joined clips, and lists what could be cut. Nothing is rendered. */
export async function analyzeFiles(
  context: JobContext,
  { files, fonts }: { files: FetchedFiles; fonts: TextFonts },
  phase: InPhase,
): Promise<Analyzed> {
  const found = await phase('measuring', async () => measureJob(context, files, fonts))
  const { clips, decoded } = found
  const measured: JobContext = { ...context, tools: withWallClock(context.tools, clips, 0) }
  const { heard, suggested } = await phase('transcribing', async () => {
    const seconds = secondsWithout(decoded?.removed.all ?? [], found)
    const onShare = progressOf(measured, 'transcribing')
    const all = await hearSources(measured, { clips, sound: decoded }, seconds, onShare)
    return { heard: all, suggested: await suggestCuts(measured, found, all) }
  })
  const kept = onCountedTime(found)
  const told = await phase('uploading', async () =>
    finishTranscript(measured, carried(heard, kept.sources, kept.seconds), kept.seconds),
  )
  return {
    outputs: told.outputs,
    warnings: [...suggested.warnings, ...told.warnings],
    transcript: told.result,
    suggestions: suggested.suggestions,
  }
}

type Suggested = { suggestions: Suggestion[]; warnings: string[] }

async function suggestCuts(
  context: JobContext,
  { clips, decoded }: MeasuredJob,
  heard: Heard,
): Promise<Suggested> {
  const { tools, job } = context
  if (!decoded?.raw) {
    return {
      suggestions: [],
      warnings: ['analyzeOnly: the video has no sound, so nothing is suggested.'],
    }
  }
  const timeline = timelineOf(clips)
  const { all: asked } = decoded.removed
  const pauses = await lookForPauses(tools, timeline, asked, decoded.raw)
  const looked = await listenForFillers(context, { clips, decoded, heard }, 'analyzeOnly')
  const { sounds } = looked
  const fillers =
    heard.outcome === 'heard' ? fillersIn(heard.speech, { clips, decoded, sounds }) : []
  const ofFiles = ownCuts({ clips })
  const most = limits.removeSegments - (job.options.removeSegments?.length ?? 0)
  const found = { silences: subtractSpans(pauses.removed, asked), fillers }
  const listed = listSuggestions(found, { all: asked, ofFiles }, { timeline, most })
  return {
    suggestions: listed.suggestions,
    warnings: [
      ...warningsOf(pauses),
      ...looked.warnings,
      ...(heard.outcome === 'heard'
        ? []
        : [`analyzeOnly: only silences are suggested. ${whyUnheard(heard)}`]),
      ...(listed.unlisted > 0
        ? [
            `analyzeOnly: the ${listed.unlisted} shortest suggestions were left out, because removeSegments has at most ${limits.removeSegments} entries.`,
          ]
        : []),
    ],
  }
}

function warningsOf({ kind, isDeaf }: FoundPauses): string[] {
  if (kind === 'all-silent')
    return ['analyzeOnly: all of it is silent, so no silence is suggested.']
  if (isDeaf) {
    return ['analyzeOnly: the voice detector failed, so only what is silent is suggested.']
  }
  if (kind === 'between-voices') return []
  return ['analyzeOnly: no voice was found, so only what is silent is suggested.']
}

/**
 * The transcript has the time of the suggestions, in which `removeSegments` counts: only the cuts of single files are gone
 * from it. Words that `removeSegments` removes are left out of it all the same.
 */
function onCountedTime(found: MeasuredJob): { sources: SpokenSources; seconds: number } {
  const { clips, decoded } = found
  const ofFiles = ownCuts(found)
  return {
    sources: { clips, sound: decoded && withOnly(decoded, ofFiles) },
    seconds: secondsWithout(ofFiles, found),
  }
}

function withOnly(
  { speech, removed }: DecodedSound,
  all: readonly FrameSpan[],
): NonNullable<SpokenSources['sound']> {
  return { speech, removed: { ...removed, all } }
}

function ownCuts({ clips }: Pick<MeasuredJob, 'clips'>): FrameSpan[] {
  return fileCuts(
    timelineOf(clips),
    clips.map(({ asked }) => asked),
  )
}

function secondsWithout(
  removed: readonly FrameSpan[],
  { clips }: Pick<MeasuredJob, 'clips'>,
): number {
  const { totalFrames, frameRate } = timelineOf(clips)
  return (totalFrames - frameCount(removed)) / fpsOf(frameRate)
}
