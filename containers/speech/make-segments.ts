import type { SpeechSegment, Word } from '../timeline/speech.ts'
import { endsSentence } from '../../worker/contract/captions/sentence-end.ts'
import { joinTexts } from '../../worker/contract/captions/unspaced.ts'

/** A pause that marks the end of a thought, in seconds. */
const longPause = 0.7

/** Groups words into sentences, and also splits at long pauses. */
export function makeSegments(words: readonly Word[], language: string): SpeechSegment[] {
  const groups: Word[][] = []
  for (const word of words) {
    const last = groups.at(-1)?.at(-1)
    if (!last || endsThought(last, word, language)) groups.push([word])
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

function endsThought(word: Word, next: Word, language: string): boolean {
  if (next.startTime - word.endTime >= longPause || next.speaker !== word.speaker) return true
  return endsSentence(word.text, language)
}
