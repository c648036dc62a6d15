import type { Cut, Word } from '../demo-data.ts'
import { escape } from './escape.ts'
import { secondsText } from './quantities.ts'

/** What is said in the finished video, with a mark where something was cut. Words can be clicked. */
export function showTranscript(words: readonly Word[], cuts: readonly Cut[]): string {
  const marks = [...cuts].sort((a, b) => a.resultTime - b.resultTime)
  const shown: string[] = []
  for (const word of words) {
    // The middle of a word tells on which side of a cut it is, however exactly its ends are known.
    const middle = (word.startTime + word.endTime) / 2
    while (marks[0] && marks[0].resultTime <= middle) shown.push(showCut(marks.shift()))
    shown.push(
      `<button type="button" class="word" data-time="${word.startTime}" data-end="${word.endTime}">${escape(word.text.trim())}</button>`,
    )
  }
  return [...shown, ...marks.map(showCut)].join(' ')
}

function showCut(cut: Cut | undefined): string {
  if (!cut) return ''
  const length = secondsText(cut.endTime - cut.startTime)
  return `<span class="snip" title="${length} were cut here"><span aria-hidden="true">✂</span> ${length}</span>`
}
