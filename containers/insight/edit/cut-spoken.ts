import { blocksPerSecond } from '../../sound/block-meter.ts'
import type { DecodedSound } from '../../sound/prepare-sound.ts'
import type { Run } from '../../sound/runs.ts'
import type { Clip } from '../../timeline/clip.ts'
import type { SpokenCuts } from '../../timeline/cut-list.ts'
import { fpsOf } from '../../timeline/frame-rate.ts'
import type { Heard, Speech } from '../../timeline/speech.ts'
import { timelineOf } from '../../timeline/timeline.ts'
import { maxTranscriptionSeconds } from '../../../worker/contract/limits.ts'
import { cutsOf } from '../carry/plan-hearing.ts'
import type { FrameSpan } from '../../timeline/frame-spans.ts'
import { cutText, type TextRequest } from './cut-text.ts'
import { cutPlace, cutUpToNext } from './cut-words.ts'
import { findFillers, type Filler } from './find-fillers.ts'
import { quietEdge, type Grid } from './quiet-edge.ts'
import { spokenWords, type SpokenWord } from './spoken-words.ts'
import { leastPause } from './unexplained-sounds.ts'

export type SpokenRequest = {
  readonly clips: readonly Clip[]
  /** Undefined if there is no sound, so that nothing can be cut by it. */
  readonly decoded: DecodedSound | undefined
  /** With times on the joined timeline. */
  readonly heard: Heard
  readonly options: TextRequest & { readonly removeFillers: boolean }
  /** Fillers that were not written, in blocks of the joined timeline. */
  readonly unwritten: readonly Run[]
}

export type SpokenDecision = { readonly cuts: SpokenCuts; readonly warnings: readonly string[] }

const nothing: SpokenCuts = { text: [], fillers: [] }

/** Decides what is cut because of what is said, in pictures of the joined timeline. */
export function cutSpokenParts(request: SpokenRequest): SpokenDecision {
  const { heard, decoded, options } = request
  if (heard.outcome !== 'heard' || !decoded) {
    return { cuts: nothing, warnings: unheardWarnings(heard, options) }
  }
  const grid = gridOf(request.clips, decoded)
  const words = wordsLeft(spokenWords(heard.speech), request)
  const { spans, warnings } = cutText(words, options, grid)
  const { language } = heard.speech
  const fillers = options.removeFillers
    ? [...cutFillers(words, language, grid), ...cutUnwritten(request.unwritten, grid)]
    : []
  return { cuts: { text: spans, fillers }, warnings }
}

/** A filler with the pictures that go with it, and what is said there if it was written. */
export type FillerCut = FrameSpan & Pick<Filler, 'why'> & { readonly text?: string }

/** What `removeFillers` would cut, in pictures of the joined timeline. */
export function fillersIn(
  speech: Speech,
  request: Pick<SpokenRequest, 'clips' | 'unwritten'> & { readonly decoded: DecodedSound },
): FillerCut[] {
  const words = wordsLeft(spokenWords(speech), request)
  const grid = gridOf(request.clips, request.decoded)
  return [...cutFillers(words, speech.language, grid), ...cutUnwritten(request.unwritten, grid)]
}

function gridOf(clips: readonly Clip[], { blocks }: DecodedSound): Grid {
  const { frameRate, totalFrames } = timelineOf(clips)
  return { loudness: blocks.loudness, fps: fpsOf(frameRate), totalFrames }
}

/** Of a start that is said again, the pause before the second time goes too. */
function cutFillers(words: readonly SpokenWord[], language: string, grid: Grid): FillerCut[] {
  return findFillers(words, language).flatMap((found) => {
    const isRepeat = found.why === 'repeat'
    const span = isRepeat ? cutUpToNext(words, found, grid) : cutPlace(words, found, grid)
    const said = words.slice(found.first, found.last + 1).map(({ text }) => text.trim())
    return span ? [{ ...span, why: found.why, text: said.join(' ') }] : []
  })
}

/** A pause is on both sides, so the cut has only to stay within it. */
function cutUnwritten(unwritten: readonly Run[], grid: Grid): FillerCut[] {
  return unwritten.flatMap((sound) => {
    const [begin, end] = [sound.from / blocksPerSecond, sound.to / blocksPerSecond]
    const least = begin - leastPause
    const from = quietEdge({ at: begin, least, most: begin, side: 'begin' }, grid)
    const to = quietEdge({ at: end, least: end, most: end + leastPause, side: 'end' }, grid)
    return from < to ? [{ from, to, why: 'filler' }] : []
  })
}

/** Without the words of segments that the request removes: nobody hears them in the video. */
function wordsLeft(
  words: readonly SpokenWord[],
  { clips, decoded }: Pick<SpokenRequest, 'clips' | 'decoded'>,
): SpokenWord[] {
  const { asked } = cutsOf({ clips, sound: decoded })
  return words.filter(({ startTime: from, endTime: to }) => {
    if (from === undefined || to === undefined) return true
    return asked.keptWithin({ from, to }) >= (to - from) / 2
  })
}

function unheardWarnings(heard: Heard, options: SpokenRequest['options']): string[] {
  const lists = (['removeText', 'keepText'] as const).filter((name) => options[name]?.length)
  const asked = [...lists, ...(options.removeFillers ? ['removeFillers'] : [])]
  return asked.map((name) => `${name}: nothing was cut. ${whyUnheard(heard)}`)
}

/** Why nothing is known of what is said, as a sentence for the customer. */
export function whyUnheard(heard: Heard): string {
  switch (heard.outcome) {
    case 'failed':
      return heard.message
    case 'too-long':
      return `More than ${maxTranscriptionSeconds} seconds are left of the video, which is longer than what is transcribed.`
    case 'heard':
    case 'unasked':
      return 'The video has no sound.'
  }
}
