import {
  cutSpokenParts,
  nothingSpoken,
  type LoudnessOverTime,
  type SpokenDecision,
} from '../../insight/edit/cut-spoken.ts'
import type { Transcription } from '../../timeline/speech.ts'
import { secondsKept } from '../../timeline/list-cuts.ts'
import { shapeClips } from '../../render/frame/shape-clips.ts'
import { progressOf } from '../job-context.ts'
import { followSpeakers } from '../measure/follow-people.ts'
import type { Measured } from '../measure/measure-job.ts'
import { listenForFillers, noSounds, transcribe } from './hear-speech.ts'

/** The measured footage, and what is to be cut because of what is said. */
export type Heard = Measured & {
  /** With times on the joined timeline; undefined if nothing needs it before the rendering. */
  readonly transcription: Transcription | undefined
  readonly spoken: SpokenDecision
}

/** Transcribes the joined clips, once for all options that need it. */
export async function hearWords(
  measured: Measured,
  levels: LoudnessOverTime | undefined = measured.sound,
): Promise<Heard> {
  const { context } = measured
  const { options } = context.job
  const seconds = secondsKept(measured)
  const onShare = progressOf(context, 'transcribing')
  const transcription = await transcribe(context, measured, seconds, { onShare })
  const heard = { ...measured, ...followed(measured, transcription), transcription }
  const looked = options.removeFillers
    ? await listenForFillers(context, heard, 'removeFillers')
    : { sounds: noSounds, warnings: [] }
  const { cuts, warnings } = cutSpokenParts({
    ...heard,
    sound: levels,
    options,
    sounds: looked.sounds,
  })
  return { ...heard, spoken: { cuts, warnings: [...looked.warnings, ...warnings] } }
}

/** Once it is known who speaks, the crop can follow them. */
function followed(
  { clips, shaped, context }: Measured,
  transcription: Transcription,
): Pick<Measured, 'clips' | 'shaped'> {
  if (transcription.outcome !== 'heard') return { clips, shaped }
  const told = followSpeakers(clips, transcription.speech)
  return told === clips
    ? { clips, shaped }
    : { clips: told, shaped: shapeClips(told, context.job.options) }
}

/** For a job that does not need the words before the rendering: if they are requested, they are transcribed beside it. */
export function unheard(measured: Measured): Heard {
  return { ...measured, transcription: undefined, spoken: { cuts: nothingSpoken, warnings: [] } }
}
