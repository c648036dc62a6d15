/** Nobody talks that slowly; the decoder, when it has lost the thread, does. */
const leastWordsPerSecond = 0.8
const leastSecondsToJudge = 3
const longestRun = 16

/** How often a run of tokens must stand in a row to be called a loop. */
export type LoopMeasure = (runLength: number) => number

/** For a first look: people do say "no, no, no", but a second look costs little. */
export const suspicious: LoopMeasure = (length) => (length === 1 ? 5 : length <= 4 ? 3 : 2)
export const certain: LoopMeasure = (length) => (length === 1 ? 6 : length <= 4 ? 4 : 3)

export type Loop = { readonly start: number; readonly length: number }

export function findLoop(tokens: readonly number[], measure: LoopMeasure): Loop | undefined {
  for (let length = 1; length <= longestRun; length++) {
    const needed = measure(length) * length
    // So many equal neighbours `length` apart make the run stand that often in a row.
    let same = length
    for (let index = length; index < tokens.length; index++) {
      same = tokens[index] === tokens[index - length] ? same + 1 : length
      if (same >= needed) return { start: index + 1 - needed, length }
    }
  }
  return undefined
}

/** What was said before it went round, and one round of it. */
export function beforeLoop(tokens: readonly number[]): readonly number[] {
  const loop = findLoop(tokens, certain)
  return loop ? tokens.slice(0, loop.start + loop.length) : tokens
}

export function isThin(words: number, seconds: number): boolean {
  return seconds >= leastSecondsToJudge && words / seconds < leastWordsPerSecond
}
