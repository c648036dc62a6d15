import type { CaptionWord } from './caption-words.ts'

const leastSeconds = 1
/** A shorter gap between two captions would only flicker. */
const flickerSeconds = 0.4

type Span = { startTime: number; endTime: number }

/** When a caption is shown: from its first word on, for a second at least if nobody speaks on. */
export function captionSpan(
  words: readonly CaptionWord[],
  next: CaptionWord | undefined,
  durationSeconds: number,
): Span {
  const startTime = words[0]?.startTime ?? 0
  const last = next?.startTime ?? durationSeconds
  const wanted = Math.max(words.at(-1)?.endTime ?? 0, startTime + leastSeconds)
  return { startTime, endTime: last - wanted < flickerSeconds ? last : wanted }
}
