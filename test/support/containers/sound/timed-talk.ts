import type { Speech } from '../../../../containers/timeline/speech.ts'

const secondsOfLetter = 0.06
const betweenWords = 0.05
const usualPause = 0.4

/** A talk with a segment for each text, spoken at an even pace; a number is a pause of so long before the next text. */
export function timedTalk(parts: readonly (string | number)[]): Speech {
  let at = 0
  let pause = 0.5
  const segments = parts.flatMap((part) => {
    if (typeof part === 'number') {
      pause = part
      return []
    }
    at += pause
    pause = usualPause
    const words = part.split(' ').map((text) => {
      const startTime = at
      const endTime = startTime + text.length * secondsOfLetter
      at = endTime + betweenWords
      return { text, startTime, endTime }
    })
    at -= betweenWords
    return [{ startTime: words[0]?.startTime ?? at, endTime: at, text: part, words }]
  })
  return { language: 'en', segments }
}
