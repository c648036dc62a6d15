import { isUnspaced } from '../../../worker/contract/captions/unspaced.ts'
import type { Speech } from '../../timeline/speech.ts'
import { findCovered, tokensOf, type Token } from './find-covered.ts'

/** The sound does not reveal how a covered word begins or how long it is, so the text does not either. */
const mask = '***'

/** Speech without these phrases: each of their words is written as stars, whatever its punctuation. */
export function maskSpeech(speech: Speech, phrases: readonly string[] | undefined): Speech {
  if (!phrases) return speech
  const { language, segments } = speech
  const texts = maskTexts(
    segments.map(({ text }) => text),
    language,
    phrases,
  )
  const words = segments.flatMap((segment) => segment.words ?? [])
  const masked = maskTexts(
    words.map(({ text }) => text),
    language,
    phrases,
  )
  let at = 0
  return {
    ...speech,
    segments: segments.map((segment, i) => ({
      ...segment,
      text: texts[i] ?? mask,
      ...(segment.words && {
        words: segment.words.map((word) => ({ ...word, text: masked[at++] ?? mask })),
      }),
    })),
  }
}

/** A phrase may begin in one text and end in another. */
export function maskTexts(
  texts: readonly string[],
  language: string,
  phrases: readonly string[],
): string[] {
  const tokens = tokensOf(texts, language)
  const covered = new Set<Token>()
  for (const { first, last } of findCovered(tokens, phrases, language)) {
    for (const token of tokens.slice(first, last + 1)) covered.add(token)
  }
  const bySource = Map.groupBy(covered, ({ source }) => source)
  return texts.map((text, i) => maskTokens(text, bySource.get(i) ?? [], isUnspaced(language)))
}

function maskTokens(text: string, tokens: readonly Token[], joins: boolean): string {
  let [masked, at] = ['', 0]
  for (const { from, to } of tokens.toSorted((a, b) => a.from - b.from)) {
    // Consecutive letters are read as one word.
    const goesOn = joins && from === at && masked.endsWith(mask)
    masked += goesOn ? '' : text.slice(at, from) + mask
    at = to
  }
  return masked + text.slice(at)
}
