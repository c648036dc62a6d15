import type { Likely } from '../../../worker/contract/job/foresight.ts'
import { hearsCaptions, type ProcessingOptions } from '../../../worker/contract/options/options.ts'
import { cutsSpeakers, speakersAsked } from '../../../worker/contract/options/speakers.ts'
import { cutsOf } from '../../insight/carry/plan-hearing.ts'
import { cutSpokenParts } from '../../insight/edit/cut-spoken.ts'
import { nothingToHear } from '../../insight/transcribe-video.ts'
import { cuttingReads } from '../../render/render-steps.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import { mapClips } from '../../timeline/change-clips.ts'
import { secondsKept } from '../../timeline/list-cuts.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { noSounds } from '../hear/hear-speech.ts'
import { unheard, type Heard } from '../hear/hear-words.ts'
import type { JobContext } from '../job-context.ts'
import type { Measured } from '../measure/measure-job.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import { around, stretched } from './ranges.ts'

/** Files of which a plan knows whether they are sounds. */
type Stored = { readonly sniffed: { readonly kind: string } }

/**
 * The clips as if they shook or showed faces, for which a plan does not look: films that are to be stabilised usually shake,
 * and those whose faces are to be covered show some.
 */
export function assumedPictures(measured: Measured, stored: readonly Stored[]): Measured {
  const { options, inputs } = measured.context.job
  const clips = mapClips(measured.clips, (clip, i) => {
    if (stored[i]?.sniffed.kind === 'sound') return clip
    const { width, height } = clip.facts.video
    const isFilmed = inputs[i]?.duration === undefined
    return {
      ...clip,
      ...(options.stabilize && isFilmed && { corrections: unwritten }),
      ...(options.blurFaces && { faces: { path: unwritten, width, height } }),
    }
  })
  return { ...measured, clips, shaped: shapeClips(clips, options) }
}

/** The name of a file that is never written, because a plan renders nothing. */
const unwritten = 'unmeasured'

/** The share that is left of films whose pauses, fillers or phrases are cut, judged by films of people speaking. */
const leftOf = {
  pauses: { likely: 0.85, least: 0.5, most: 1 },
  fillers: { likely: 0.96, least: 0.85, most: 1 },
  removed: { likely: 0.97, least: 0.8, most: 1 },
  kept: { likely: 0.4, least: 0.02, most: 1 },
  speakers: { likely: 0.5, least: 0.02, most: 1 },
}

/** `areWordsKnown`: cuts that words decide are made already, and not assumed. */
export function shareLeft(
  options: ProcessingOptions,
  { isHeard, clips }: Pick<Measured, 'isHeard' | 'clips'>,
  areWordsKnown: boolean,
): Likely {
  if (clips.every(({ facts }) => facts.audio === undefined)) return around(1, 0)
  const { removeText = [], keepText = [] } = options
  const byWords = [
    ...(options.removeFillers ? [leftOf.fillers] : []),
    ...(removeText.length > 0 ? [leftOf.removed] : []),
    ...(keepText.length > 0 ? [leftOf.kept] : []),
    ...(cutsSpeakers(options) ? [leftOf.speakers] : []),
  ]
  const all = [
    ...(options.removeSilence && !isHeard ? [leftOf.pauses] : []),
    ...(areWordsKnown ? [] : byWords),
  ]
  return all.reduce(stretched, around(1, 0))
}

const heardLate = 'shows only when the speech is heard, which a plan does not do.'

export function unknownOf(options: ProcessingOptions, { context, isHeard }: Measured): string[] {
  const { removeSilence, normalizeAudio } = options
  const listened = 'would take longer than a plan may listen.'
  return [
    ...(removeSilence && !isHeard ? [`removeSilence: to find the pauses ${listened}`] : []),
    ...(normalizeAudio && !isHeard ? [`normalizeAudio: to measure the loudness ${listened}`] : []),
    ...(options.blurFaces
      ? ['blurFaces: a plan looks for no faces; a film without any may be copied.']
      : []),
    ...(options.stabilize && context.isUnseen
      ? [
          'stabilize: whether the picture shakes would take longer to see than a plan may look; one that does not may be copied.',
        ]
      : []),
  ]
}

/** What depends on words that are not known yet. A film without sound has none. */
export function unheardOf(options: ProcessingOptions, { clips, replacement }: Measured): string[] {
  const isAudible = replacement !== undefined || clips.some(({ facts }) => facts.audio)
  if (!isAudible) return []
  const cutting = cuttingReads.filter((name) =>
    typeof options[name] === 'boolean' ? options[name] : options[name]?.length,
  )
  return [
    ...(cutting.length > 0 ? [`${cutting.join(', ')}: what is cut ${heardLate}`] : []),
    ...(options.analyzeOnly ? [`analyzeOnly: what could be cut ${heardLate}`] : []),
    ...(options.enableTranscription
      ? [`enableTranscription: what is said, and whether that is certain, ${heardLate}`]
      : []),
    ...(options.bleep ? [`bleep: what is covered ${heardLate}`] : []),
    ...(hearsCaptions(options) ? [`captions: what they say ${heardLate}`] : []),
    ...(speakersAsked(options)
      ? [`speakers: how many there are, and whether that is certain, ${heardLate}`]
      : []),
    ...(options.chapters ? [`chapters: how many there are ${heardLate}`] : []),
    ...(options.suggestClips && !options.clips
      ? [`suggestClips: what is suggested ${heardLate}`]
      : []),
    ...(options.clips ? [`clips: how many there are, and how long each is, ${heardLate}`] : []),
  ]
}

/** The footage as if its words were known. In a film without sound, it is known that nothing will be heard. */
export function assumedHeard(context: JobContext, measured: Measured): Heard {
  const { options } = context.job
  const isSilent = measured.clips.every(({ facts }) => facts.audio === undefined)
  if (!isSilent || measured.replacement || !needsWordsFirst(options)) {
    return { ...unheard(measured), transcription: assumedWords(context, measured) }
  }
  const transcription = { outcome: 'failed', message: nothingToHear } as const
  const spoken = cutSpokenParts({ ...measured, transcription, options, sounds: noSounds })
  return { ...measured, transcription, spoken }
}

const mostAssumed = 200

/** Assumed words in place of the real ones, so that captions are planned where there will be some. */
function assumedWords(
  { job, settings }: JobContext,
  measured: Measured,
): Transcription | undefined {
  if (!hearsCaptions(job.options)) return undefined
  const seconds = secondsKept(measured)
  const mostSeconds = settings.MAX_TRANSCRIPTION_SECONDS
  if (seconds > mostSeconds) return { outcome: 'too-long', mostSeconds }
  const count = Math.min(mostAssumed, Math.max(1, Math.floor(seconds)))
  // Words have the times of the joined sources, and only those in parts that are kept are shown.
  const { all } = cutsOf(measured)
  const segments = Array.from({ length: count }, (_, i) => {
    const startTime = all.momentAt((seconds * i) / count)
    const word = { startTime, endTime: startTime + (seconds / count) * 0.9, text: 'word' }
    return { ...word, words: [word] }
  })
  return { outcome: 'heard', speech: { language: 'en', segments } }
}
