import { blocksPerSecond } from '../../sound/level/block-meter.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import type { BlockRun } from '../../sound/dsp/runs.ts'
import type { SpokenCuts } from '../../timeline/cut-list.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import type { CutTimeline } from '../../timeline/list-cuts.ts'
import type { Speech, Transcription } from '../../timeline/speech.ts'
import type { Timeline } from '../../timeline/timeline.ts'
import type { SpeakersAsked } from '../../../worker/contract/options/speakers.ts'
import { isLeft } from '../../../worker/contract/layout/word-left.ts'
import { cutsOf } from '../carry/plan-hearing.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { cutSpeakers } from './cut-speakers.ts'
import { cutText, type TextRequest } from './cut-text.ts'
import { cutPlace, cutUpToNext } from './cut-words.ts'
import { findFillers, type Filler } from './find-fillers.ts'
import { quietEdge, type LoudnessGrid } from './quiet-edge.ts'
import { spokenWords, type SpokenWord } from './spoken-words.ts'
import { leastPause, shared, type FillerSounds } from './unexplained-sounds.ts'

/** How loud a sound is at each moment. */
export type LoudnessOverTime = { readonly blocks: Pick<DecodedSound['blocks'], 'loudness'> }

type SpokenRequest = CutTimeline & {
  /** Undefined without a sound, so that nothing can be cut by it. */
  readonly sound: LoudnessOverTime | undefined
  /** With times on the joined timeline. */
  readonly transcription: Transcription
  readonly options: TextRequest & SpeakersAsked & { readonly removeFillers: boolean }
  readonly sounds: FillerSounds
}

export type SpokenDecision = { readonly cuts: SpokenCuts; readonly warnings: readonly string[] }

/** No cuts: nothing was transcribed, or nothing is to be cut. */
export const nothingSpoken: SpokenCuts = { text: [], fillers: [] }

/** Decides what is cut because of what is said, in pictures of the joined timeline. */
export function cutSpokenParts(request: SpokenRequest): SpokenDecision {
  const { transcription, timeline, sound, options } = request
  if (transcription.outcome !== 'heard' || !sound) {
    return { cuts: nothingSpoken, warnings: unheardWarnings(transcription, options) }
  }
  const { speech } = transcription
  const { language } = speech
  const grid = gridOf(timeline, sound)
  const words = wordsLeft(spokenWords(speech), request)
  const text = cutText(words, { ...options, language }, grid)
  const isCertain = speech.speakersCertain !== false
  const who = cutSpeakers(words, { ...options, isCertain }, grid)
  const fillers = options.removeFillers ? cutFillers(words, language, request.sounds, grid) : []
  return {
    cuts: { text: [...text.spans, ...who.spans], fillers },
    warnings: [...text.warnings, ...who.warnings],
  }
}

/** A filler with the pictures that are cut with it, and its text if the recogniser wrote it. */
export type FillerCut = FrameSpan & Pick<Filler, 'why'> & { readonly text?: string }

/** What `removeFillers` would cut, in pictures of the joined timeline. */
export function fillersIn(
  speech: Speech,
  request: CutTimeline & Pick<SpokenRequest, 'sounds'> & { readonly sound: LoudnessOverTime },
): FillerCut[] {
  const words = wordsLeft(spokenWords(speech), request)
  const grid = gridOf(request.timeline, request.sound)
  return cutFillers(words, speech.language, request.sounds, grid)
}

function gridOf({ frameRate, totalFrames }: Timeline, { blocks }: LoudnessOverTime): LoudnessGrid {
  return { loudness: blocks.loudness, fps: fpsOf(frameRate), totalFrames }
}

function cutFillers(
  words: readonly SpokenWord[],
  language: string,
  { unwritten, written }: FillerSounds,
  grid: LoudnessGrid,
): FillerCut[] {
  return [
    ...cutWritten(words, language, written, grid),
    ...unwritten.flatMap((sound) => cutSound(sound, grid)),
  ]
}

/** If a sentence is begun again, the pause before the second beginning is cut too. */
function cutWritten(
  words: readonly SpokenWord[],
  language: string,
  heard: FillerSounds['written'],
  grid: LoudnessGrid,
): FillerCut[] {
  const left = new Set(heard)
  return findFillers(words, language).flatMap((found) => {
    const said = words.slice(found.first, found.last + 1).map(({ text }) => text.trim())
    const cut = { why: found.why, text: said.join(' ') }
    if (heard && found.why === 'filler') {
      const sound = heard.find((one) => left.has(one) && isIn(words[found.first], one))
      if (sound) left.delete(sound)
      return sound ? cutSound(sound, grid).map((span) => ({ ...span, ...cut })) : []
    }
    const isRepeat = found.why === 'repeat'
    const span = isRepeat ? cutUpToNext(words, found, grid) : cutPlace(words, found, grid)
    return span ? [{ ...span, ...cut }] : []
  })
}

function isIn(word: SpokenWord | undefined, sound: BlockRun): boolean {
  const { startTime, endTime } = word ?? {}
  if (startTime === undefined || endTime === undefined) return false
  return shared({ startTime, endTime }, sound) > 0
}

/** A pause is on both sides, so the cut only has to stay within it. */
function cutSound(sound: BlockRun, grid: LoudnessGrid): FillerCut[] {
  const [begin, end] = [sound.from / blocksPerSecond, sound.to / blocksPerSecond]
  const least = begin - leastPause
  const from = quietEdge({ at: begin, least, most: begin, side: 'begin' }, grid)
  const to = quietEdge({ at: end, least: end, most: end + leastPause, side: 'end' }, grid)
  return from < to ? [{ from, to, why: 'filler' }] : []
}

/** Without the words of segments that the request removes, because they are not heard in the video. */
function wordsLeft(words: readonly SpokenWord[], cut: CutTimeline): SpokenWord[] {
  const { asked } = cutsOf(cut)
  return words.filter(({ startTime, endTime }) => {
    if (startTime === undefined || endTime === undefined) return true
    return isLeft(asked, { startTime, endTime })
  })
}

function unheardWarnings(
  transcription: Transcription,
  options: SpokenRequest['options'],
): string[] {
  const names = ['removeText', 'keepText', 'removeSpeakers', 'keepSpeakers'] as const
  const lists = names.filter((name) => options[name]?.length)
  const asked = [...lists, ...(options.removeFillers ? ['removeFillers'] : [])]
  return asked.map((name) => `${name}: nothing was cut. ${whyUnheard(transcription)}`)
}

/** Why the words are not known, as a sentence for the customer. */
export function whyUnheard(transcription: Transcription): string {
  switch (transcription.outcome) {
    case 'failed':
      return transcription.message
    case 'too-long':
      return `More than ${transcription.mostSeconds} seconds are left of the video, which is longer than what is transcribed.`
    case 'heard':
    case 'unasked':
      return 'The video has no sound.'
  }
}
