import { maxTranscriptChars, unheardLanguage } from '../../worker/contract/video/transcript.ts'
import { SpeechFailure } from '../speech/speech-provider.ts'
import type { Speech, SpeechSegment, Word } from '../timeline/speech.ts'
import { joinTexts } from '../../worker/contract/captions/unspaced.ts'
import { thousandthsBelow } from '../numbers/thousandths.ts'

/**
 * Cleans up a provider's answer: plain text, and times that lie inside the video and never go back. No provider is trusted to
 * give these.
 */
export function tidySpeech(speech: Speech, durationSeconds: number): Speech {
  const tidied = placeSpeech(speech, durationSeconds)
  const chars = tidied.segments.reduce((sum, { text }) => sum + text.length + 1, 0)
  if (chars > maxTranscriptChars) {
    throw new SpeechFailure('Transcription failed: the provider returned more than can be said.')
  }
  return tidied
}

/** The same without the length limit, because a customer's own captions may be longer than speech. */
export function placeSpeech(speech: Speech, durationSeconds: number): Speech {
  const heard = speech.segments
    .map((segment) => tidySegment(segment, durationSeconds))
    .filter(({ text, startTime }) => text !== '' && startTime < durationSeconds)
    .sort((a, b) => a.startTime - b.startTime)
  const segments = heard.map((segment, i) => endingBefore(segment, heard[i + 1]))
  return { ...speech, language: segments.length > 0 ? speech.language : unheardLanguage, segments }
}

/** The whole speech as one text. */
export function wholeText({ language, segments }: Speech): string {
  return joinTexts(
    segments.map(({ text }) => text),
    language,
  )
}

function tidySegment({ words = [], ...segment }: SpeechSegment, end: number): SpeechSegment {
  const { speaker } = segment
  const who = speaker === undefined ? {} : { speaker }
  const span = { ...tidySpan(segment, { from: 0, to: end }), ...who }
  const tidied: Word[] = []
  for (const word of words) {
    const from = tidied.at(-1)?.endTime ?? span.startTime
    const placed = tidySpan(word, { from, to: Math.max(from, end) })
    if (placed.text === '' || placed.startTime >= end) continue
    const { confidence, speaker } = word
    tidied.push({
      ...placed,
      ...(confidence !== undefined && { confidence }),
      ...(speaker !== undefined && { speaker }),
    })
  }
  const [first] = tidied
  const last = tidied.at(-1)
  if (!first || !last) return span
  return {
    startTime: first.startTime,
    endTime: Math.max(first.startTime, last.endTime),
    text: span.text,
    words: tidied,
    ...who,
  }
}

function tidySpan<Said extends Word>(
  said: Said,
  { from, to }: { from: number; to: number },
): Pick<Word, 'startTime' | 'endTime' | 'text'> {
  const clamp = (value: number): number => Math.min(to, Math.max(from, value))
  const startTime = thousandthsBelow(clamp(said.startTime))
  const endTime = Math.max(startTime, thousandthsBelow(clamp(said.endTime)))
  return { startTime, endTime, text: plain(said.text) }
}

/** Segments may touch but not overlap; a word that reaches into the next segment keeps its start. */
function endingBefore(segment: SpeechSegment, next: SpeechSegment | undefined): SpeechSegment {
  if (!next || segment.endTime <= next.startTime) return segment
  const end = Math.max(segment.startTime, next.startTime)
  const words = segment.words?.map((word) => ({
    ...word,
    startTime: Math.min(word.startTime, end),
    endTime: Math.min(word.endTime, end),
  }))
  return { ...segment, endTime: end, ...(words && { words }) }
}

/** One line without control characters. */
function plain(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
}
