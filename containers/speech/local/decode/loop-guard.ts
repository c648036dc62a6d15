/** No speaker is slower than this, but the decoder is when it has lost track. */
const leastWordsPerSecond = 0.8
const leastSecondsToJudge = 3
/** A sentence of Whisper, which can repeat whole ones. */
const longestRun = 40

/** How often a run of tokens must be repeated to count as a loop. */
type LoopMeasure = (runLength: number) => number

/** For a first check, because a second one costs little: people do say "no, no, no". */
export const suspicious: LoopMeasure = (length) => (length === 1 ? 5 : length <= 4 ? 3 : 2)
export const certain: LoopMeasure = (length) => (length === 1 ? 6 : length <= 4 ? 4 : 3)

export function findLoop(tokens: readonly number[], measure: LoopMeasure) {
  for (let length = 1; length <= longestRun; length++) {
    const needed = measure(length) * length
    // Counts how often the run is repeated, by comparing tokens that are `length` apart.
    let same = length
    for (let index = length; index < tokens.length; index++) {
      same = tokens[index] === tokens[index - length] ? same + 1 : length
      if (same >= needed) return { start: index + 1 - needed, length }
    }
  }
  return undefined
}

/** The text before the loop, and one round of the loop. */
export function beforeLoop(tokens: readonly number[]): readonly number[] {
  const loop = findLoop(tokens, certain)
  return loop ? tokens.slice(0, loop.start + loop.length) : tokens
}

export function isThin(words: number, seconds: number): boolean {
  return seconds >= leastSecondsToJudge && words / seconds < leastWordsPerSecond
}
