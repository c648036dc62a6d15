import { assumedSound } from '../../sound/assumed-sound.ts'
import { decodeSound, finishSound } from '../../sound/prepare-sound.ts'
import type { Replacement } from '../../render/render-sources.ts'
import { openSound } from '../../sound/prepared-sound.ts'
import { sampleCount } from '../../sound/dsp/pcm.ts'
import { mixedDown } from '../../sound/level/limit-peaks.ts'
import { fitSound, soundOf } from '../../sound/standard-sound.ts'
import { stackOf } from '../../errors/log.ts'
import {
  asksForTranscript,
  type ProcessingOptions,
} from '../../../worker/contract/options/options.ts'
import { filmSeconds, nothingRemoved, type CutTimeline } from '../../timeline/list-cuts.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import type { Clip, Clips } from '../../timeline/clip.ts'
import type { Transcription } from '../../timeline/speech.ts'
import type { CoveredWords } from '../../insight/cover/cover-words.ts'
import { transcribe } from '../hear/hear-speech.ts'
import type { JobContext } from '../job-context.ts'
import { needsWordsFirst } from '../needs-words-first.ts'
import { coverSpoken } from './cover-spoken.ts'

/** The options without cuts, which do not apply to the new sound; the music under it is lowered where somebody speaks in it. */
function withoutCuts(options: ProcessingOptions): ProcessingOptions {
  return {
    ...options,
    ...{ removeSilence: false, removeFillers: false, analyzeOnly: false },
    ...{ removeText: undefined, keepText: undefined },
    ...{ removeSpeakers: undefined, keepSpeakers: undefined },
  }
}

/** The new sound with the words that were covered in it, if any were to be. */
export type Replaced = Replacement & {
  readonly heard?: Transcription | undefined
  readonly words?: CoveredWords | undefined
}

/** Turns the sound of a file into that of the finished film: brings it to its length, cleans it and measures it like any other. */
export async function replaceSound(
  context: JobContext,
  film: CutTimeline & { readonly clips: Clips },
  { file, isHeard }: { readonly file: Clip; readonly isHeard: boolean },
): Promise<Replaced> {
  const { tools, job, providers } = context
  const seconds = filmSeconds(film)
  const { frameRate } = film.timeline
  const clip = soundFor(film.clips, file, seconds)
  const frames = Math.max(1, Math.ceil(seconds * fpsOf(frameRate)))
  const clips: Clips = [clip]
  const whole = {
    ...{ clips, removed: nothingRemoved, joints: [] },
    timeline: { frameRate, clipFrames: [frames], totalFrames: frames },
  }
  const options = withoutCuts(job.options)
  if (!isHeard) {
    const assumed = assumedSound(whole, options)
    const isMade = assumed !== undefined && !assumed.isUnchanged
    return { ...whole, sound: assumed, audio: isMade ? openSound(assumed) : clip.audio }
  }
  const decoded = await decodeSound(tools, {
    ...{ ...whole, options, voices: providers.voices },
    isTranscribed:
      asksForTranscript(options) || options.enableAiAnalysis || needsWordsFirst(options),
    onProgress: () => undefined,
    onFault: (error) =>
      context.log('error', 'The voice detector failed', { fault: stackOf(error) }),
  })
  const isCovered = options.bleep !== undefined && context.mayListenMs === undefined
  const heard = isCovered
    ? await transcribe(context, { ...whole, sound: decoded }, seconds)
    : undefined
  const covering = await coverSpoken(context, decoded, heard)
  const sound = covering.sound && (await finishSound(tools, { ...whole, options }, covering.sound))
  const isPrepared = sound !== undefined && !sound.isUnchanged
  const audio = isPrepared ? openSound(sound) : clip.audio
  return { ...whole, sound, audio, heard, words: covering.words }
}

/** The file as a clip as long as the film. What is known about where the film was made stays. */
function soundFor(film: Clips, { video, facts, ...file }: Clip, seconds: number) {
  const own = soundOf({ facts, ...file })
  const stereo = own && { stream: mixedDown(own), channels: Math.min(2, own.channels) }
  const audio = fitSound(stereo, sampleCount(seconds))
  const { coordinates } = film.map((clip) => clip.facts).find((one) => one.coordinates) ?? facts
  return {
    ...{ video, audio, asked: {} },
    facts: {
      ...facts,
      audio: facts.audio && { ...facts.audio, channels: 2 },
      durationSeconds: seconds,
      ...(coordinates && { coordinates }),
    },
  }
}
