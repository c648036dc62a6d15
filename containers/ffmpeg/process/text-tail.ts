/** Keeps the last characters of a stream of text, so that a flood of messages cannot fill the memory. */
type TextTail = { add(chunk: string): void; text(): string }

export function textTail(maxChars: number): TextTail {
  let kept = ''
  return {
    add(chunk) {
      kept = (kept + chunk.slice(-maxChars)).slice(-maxChars)
    },
    text: () => kept,
  }
}
