import type { KeptMeasures } from './kept-bytes.ts'
import type { VoiceDetector } from './pauses/voice-activity.ts'
import { clipsAsked } from '../../worker/contract/options/moments.ts'
import type { ProcessingOptions } from '../../worker/contract/options/options.ts'
import { cutsSpeakers } from '../../worker/contract/options/speakers.ts'
import { makesClips } from '../../worker/contract/options/outputs/outputs.ts'
import type { Clip } from '../timeline/clip.ts'
import type { CutTimeline } from '../timeline/list-cuts.ts'
import { joinedSeconds } from '../timeline/timeline.ts'
import { soundOf } from './standard-sound.ts'
import { bytesPerFrame, workedRate } from './dsp/pcm.ts'
import { speechSoundBytes } from './speech-sound.ts'
import { hopSamples } from './dsp/spectrum.ts'
import { voiceBins } from './noise/voice-gains.ts'
import { type Element } from '../../worker/contract/options/elements/elements.ts'

/** The joined clips, and what the request cuts out of them. */
export type JoinedClips = CutTimeline & { readonly clips: readonly Clip[] }

export type SoundRequest = JoinedClips & {
  readonly options: SoundOptions
  readonly voices: VoiceDetector
  /** The measurements of the same sources by earlier jobs; undefined if they are not kept. */
  readonly kept?: KeptMeasures | undefined
  /** Whether it is also transcribed. */
  readonly isTranscribed: boolean
  /** 0 … 1 */
  readonly onProgress: (share: number) => void
  /** Called if the voice detector failed; pauses are then found without it. */
  readonly onFault: (error: unknown) => void
}

export type SoundOptions = Pick<
  ProcessingOptions,
  | 'removeSilence'
  | 'removeNoise'
  | 'normalizeAudio'
  | 'removeText'
  | 'keepText'
  | 'removeSpeakers'
  | 'keepSpeakers'
  | 'elements'
  | 'removeFillers'
  | 'bleep'
  | 'clips'
  | 'suggestClips'
  | 'outputs'
> &
  Partial<Pick<ProcessingOptions, 'analyzeOnly'>>

/** The options for the sound of the footage itself, even if another replaces it. */
export function ofFootage(options: ProcessingOptions): ProcessingOptions {
  if (options.audio?.replaceUrl === undefined) return options
  return {
    ...options,
    ...{ normalizeAudio: false, removeNoise: false, elements: [], bleep: undefined },
  }
}

/** Whether an option changes an existing sound, or needs to hear it; if not, no sound has to be prepared. */
export function changesSound({ clips, removed }: JoinedClips, options: SoundOptions): boolean {
  if (clips.every((clip) => soundOf(clip) === undefined)) return false
  if (options.removeSilence || options.removeNoise || options.normalizeAudio) return true
  if (options.bleep || cutsWords(options) || countDucked(options) > 0 || options.analyzeOnly)
    return true
  if (makesClips(options)) return true
  if (removed.all.length > 0 || clips.some(hasOwnVolume)) return true
  return clips.some(
    ({ asked: { transition } }) => transition !== undefined && transition.type !== 'none',
  )
}

/** Whether a clip is louder or quieter than it is stored. */
export function hasOwnVolume({ asked: { volume = 1 } }: Pick<Clip, 'asked'>): boolean {
  return volume !== 1
}

/** Whether parts are cut because of the words spoken there. */
export function cutsWords(options: SoundOptions): boolean {
  const { removeText = [], keepText = [], removeFillers } = options
  return removeFillers || removeText.length + keepText.length > 0 || cutsSpeakers(options)
}

/** How many sounds of elements are lowered while somebody speaks. */
export function countDucked({ elements = [] }: Pick<SoundOptions, 'elements'>): number {
  return elements.filter((element) => bringsSound(element) && element.effects?.duck).length
}

/** Whether an element may be heard. */
export function bringsSound(
  element: Element,
): element is Extract<Element, { type: 'audio' | 'video' }> {
  return element.type === 'audio' || element.type === 'video'
}

/** Whether the plan depends on where somebody speaks. */
export function needsVoices(options: SoundOptions): boolean {
  return options.removeSilence || options.analyzeOnly === true || countDucked(options) > 0
}

/** Whether the speech sound is recorded along with the prepared one. */
export function needsSpeech(options: SoundOptions, isTranscribed: boolean): boolean {
  return isTranscribed || needsVoices(options)
}

/** How much disk space the prepared sound will take. */
export function preparedBytes(
  joined: JoinedClips,
  options: SoundOptions,
  isTranscribed: boolean,
): number {
  if (!changesSound(joined, options)) return 0
  const seconds = joinedSeconds(joined.timeline)
  const samples = Math.ceil(seconds * workedRate)
  const speechBytes = needsSpeech(options, isTranscribed) ? speechSoundBytes(seconds) : 0
  const voiceBytes = options.removeNoise ? Math.ceil(samples / hopSamples + 1) * voiceBins : 0
  // Each lowered sound is written as well.
  const ofClips = Math.ceil(clipSeconds(options) * workedRate) * bytesPerFrame
  return samples * bytesPerFrame * (1 + countDucked(options)) + ofClips + speechBytes + voiceBytes
}

/** Each clip has a copy of its sound. */
function clipSeconds({ clips, suggestClips = {}, outputs = [] }: SoundOptions): number {
  const { count, maxDuration } = clipsAsked(suggestClips)
  const named = outputs.reduce(
    (sum, { clip }) => sum + (clip ? clip.endTime - clip.startTime : 0),
    0,
  )
  return named + (clips ? count * maxDuration : 0)
}
