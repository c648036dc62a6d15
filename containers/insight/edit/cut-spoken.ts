import type { DecodedSound } from '../../sound/prepare-sound.ts'
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
import type { Grid } from './quiet-edge.ts'
import { spokenWords, type SpokenWord } from './spoken-words.ts'

export type SpokenRequest = {
  readonly clips: readonly Clip[]
  /** Undefined if there is no sound, so that nothing can be cut by it. */
  readonly decoded: DecodedSound | undefined
  /** With times on the joined timeline. */
  readonly heard: Heard
  readonly options: TextRequest & { readonly removeFillers: boolean }
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
  const fillers = options.removeFillers ? cutFillers(words, heard.speech.language, grid) : []
  return { cuts: { text: spans, fillers }, warnings }
}

/** A filler with the pictures that go with it, and what is said there. */
export type FillerCut = FrameSpan & Filler & { readonly text: string }

/** What `removeFillers` would cut, in pictures of the joined timeline. */
export function fillersIn(
  speech: Speech,
  request: { readonly clips: readonly Clip[]; readonly decoded: DecodedSound },
): FillerCut[] {
  const words = wordsLeft(spokenWords(speech), request)
  return cutFillers(words, speech.language, gridOf(request.clips, request.decoded))
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
    return span ? [{ ...span, ...found, text: said.join(' ') }] : []
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
