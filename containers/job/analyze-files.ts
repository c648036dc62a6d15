import { limits } from '../../worker/contract/limits.ts'
import { fillersIn, whyUnheard, type FillerCut } from '../insight/edit/cut-spoken.ts'
import { listSuggestions } from '../insight/edit/list-suggestions.ts'
import { lookForPauses, type FoundPauses } from '../sound/pauses/cut-pauses.ts'
import { fileCuts } from '../timeline/cut-list.ts'
import { subtractSpans } from '../timeline/frame-spans.ts'
import type { Transcription } from '../timeline/speech.ts'
import { secondsLeft } from '../timeline/list-cuts.ts'
import { coverWords } from '../insight/cover/cover-words.ts'
import { maskTexts } from '../insight/cover/mask-words.ts'
import { masked, tellCovered } from './cut/cover-spoken.ts'
import { findMoments } from './hear/find-moments.ts'
import { finishTranscript } from './hear/finish-transcript.ts'
import { carried, listenForFillers, transcribe } from './hear/hear-speech.ts'
import {
  progressOf,
  type Fetched,
  type InPhase,
  type JobContext,
  type Success,
} from './job-context.ts'
import { measureJob, type Measured } from './measure/measure-job.ts'

export const nothingHeard = 'analyzeOnly: the video has no sound, so nothing is suggested.'

/** Listens to the joined clips, and lists what could be cut. Nothing is rendered. */
export async function analyzeFiles(
  context: JobContext,
  fetched: Fetched,
  phase: InPhase,
): Promise<Success> {
  const measured = await phase('measuring', async () => measureJob(context, fetched))
  const { clips, timeline, removed } = measured
  const { transcription, suggested } = await phase('transcribing', async () => {
    const onShare = progressOf(context, 'transcribing')
    const seconds = secondsLeft(measured)
    const all = await transcribe(measured.context, measured, seconds, { onShare })
    return { transcription: all, suggested: await suggestCuts(measured, all) }
  })
  // The transcript counts in the time of the suggestions, as `removeSegments` does: only the cuts of single files are
  // taken out of that time. Words that `removeSegments` removes are left out all the same.
  const counted = { timeline, removed: { ...removed, all: fileCuts(timeline, clips) }, joints: [] }
  const seconds = secondsLeft(counted)
  const said = carried(masked(transcription, context), counted, seconds)
  const { bleep } = context.job.options
  const words = bleep && coverWords(transcription, bleep)
  const covered = tellCovered(words, counted)
  const { moments, warnings } = await findMoments(context, said, seconds)
  const told = await phase('uploading', async () =>
    finishTranscript(measured.context, said, seconds),
  )
  return {
    type: 'succeeded',
    outputs: told.outputs,
    warnings: [
      ...[...suggested.warnings, ...(words?.warnings ?? [])],
      ...[...warnings, ...told.warnings],
    ].slice(0, 200),
    transcript: told.result,
    suggestions: suggested.suggestions,
    ...(moments && { moments }),
    ...(covered && { covered }),
  }
}

async function suggestCuts(measured: Measured, transcription: Transcription) {
  const { context, clips, timeline, removed, sound } = measured
  const { tools, job } = context
  if (!sound?.raw) {
    return { suggestions: [], warnings: [nothingHeard] }
  }
  const { all: asked } = removed
  const pauses = await lookForPauses(tools, timeline, asked, sound.raw)
  const looked = await listenForFillers(context, { ...measured, transcription }, 'analyzeOnly')
  const { sounds } = looked
  const fillers =
    transcription.outcome === 'heard'
      ? maskFillers(
          fillersIn(transcription.speech, { timeline, removed, joints: [], sound, sounds }),
          transcription.speech.language,
          job.options.bleep,
        )
      : []
  const most = limits.removeSegments - (job.options.removeSegments?.length ?? 0)
  const found = { silences: subtractSpans(pauses.removed, asked), fillers }
  const cuts = { all: asked, ofFiles: fileCuts(timeline, clips) }
  const listed = listSuggestions(found, cuts, { timeline, most })
  return {
    suggestions: listed.suggestions,
    warnings: [
      ...pauseWarnings(pauses),
      ...looked.warnings,
      ...(transcription.outcome === 'heard'
        ? []
        : [`analyzeOnly: only silences are suggested. ${whyUnheard(transcription)}`]),
      ...(listed.unlisted > 0
        ? [
            `analyzeOnly: the ${listed.unlisted} shortest suggestions were left out, because removeSegments has at most ${limits.removeSegments} entries.`,
          ]
        : []),
    ],
  }
}

/** Masks words in the texts of repeated starts too, if the request hides them. */
function maskFillers(
  fillers: readonly FillerCut[],
  language: string,
  bleep: readonly string[] | undefined,
): readonly FillerCut[] {
  if (!bleep) return fillers
  const texts = maskTexts(
    fillers.map(({ text = '' }) => text),
    language,
    bleep,
  )
  return fillers.map((filler, i) =>
    filler.text === undefined ? filler : { ...filler, text: texts[i] ?? '' },
  )
}

/** Warnings about the silences that are suggested. */
export function pauseWarnings({ kind, isDeaf }: FoundPauses): string[] {
  if (kind === 'all-silent')
    return ['analyzeOnly: all of it is silent, so no silence is suggested.']
  if (isDeaf) {
    return ['analyzeOnly: the voice detector failed, so only what is silent is suggested.']
  }
  if (kind === 'between-voices') return []
  return ['analyzeOnly: no voice was found, so only what is silent is suggested.']
}
