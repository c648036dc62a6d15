import type { SpeechSegment, Word } from '../timeline/speech.ts'
import { joinTexts } from '../../worker/contract/layout/unspaced.ts'

/** A pause that marks the end of a thought, in seconds. */
const longPause = 0.7
const endOfSentence = /[.?!…。！？।؟]["')\]”»」』]?$/
/** Abbreviations end in a full stop but do not end a sentence. */
const abbreviation = /^(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr|vs|etc|[A-Z])\.$/

/** Groups words into sentences, and also splits at long pauses. */
export function makeSegments(words: readonly Word[], language: string): SpeechSegment[] {
  const groups: Word[][] = []
  for (const word of words) {
    const last = groups.at(-1)?.at(-1)
    if (!last || endsThought(last, word)) groups.push([word])
    else groups.at(-1)?.push(word)
  }
  return groups.map((group) => ({
    text: joinTexts(
      group.map(({ text }) => text),
      language,
    ),
    startTime: group[0]?.startTime ?? 0,
    endTime: group.at(-1)?.endTime ?? 0,
    words: group,
    ...(group[0]?.speaker !== undefined && { speaker: group[0].speaker }),
  }))
}

function endsThought(word: Word, next: Word): boolean {
  if (next.startTime - word.endTime >= longPause || next.speaker !== word.speaker) return true
  return endOfSentence.test(word.text) && !abbreviation.test(word.text)
}
