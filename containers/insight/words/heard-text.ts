import type { Speech, SpeechSegment } from '../../timeline/speech.ts'

/** From one character up to, but not including, another. */
type TextStretch = { readonly from: number; readonly to: number }

/** The whole text, and the stretches of it that may have been misheard. */
export type HeardText = { readonly text: string; readonly doubts: readonly TextStretch[] }

/**
 * Of the words with at least this confidence from the local recogniser, 99.5 % were right in clear speech and 98.3 % in
 * pink noise at 10 dB; 90 % and 81 % of all words reach it.
 */
export const sureConfidence = 0.7

/**
 * At most this many characters of the text: of a longer one, segments from all over it. A provider without confidences is
 * believed.
 */
export function heardText({ segments }: Speech, maxChars: number): HeardText {
  const chars = segments.reduce((sum, { text }) => sum + text.length + 1, 0)
  const share = Math.min(1, maxChars / chars)
  let text = ''
  let passed = 0
  const doubts: TextStretch[] = []
  for (const segment of segments) {
    const isTaken = text.length <= passed * share
    passed += segment.text.length + 1
    if (!isTaken) continue
    const said = segment.text.trim()
    const start = text === '' ? 0 : text.length + 1
    text = text === '' ? said : `${text} ${said}`
    doubts.push(
      ...doubtsIn(segment, said).map(({ from, to }) => ({ from: from + start, to: to + start })),
    )
  }
  return { text: text.slice(0, maxChars), doubts }
}

function doubtsIn({ words = [] }: SpeechSegment, said: string): TextStretch[] {
  const doubts: TextStretch[] = []
  let at = 0
  for (const { text, confidence = 1 } of words) {
    const found = said.indexOf(text, at)
    const isSure = confidence >= sureConfidence
    if (found === -1) {
      // It is not known which part of the text the word is.
      if (!isSure) return [{ from: 0, to: said.length }]
      continue
    }
    at = found + text.length
    if (!isSure) doubts.push({ from: found, to: at })
  }
  return doubts
}

export function isSureOf({ doubts }: HeardText, from: number, to: number): boolean {
  return !doubts.some((doubt) => doubt.from < to && doubt.to > from)
}
