import type { Sentence } from './sentences.ts'

/** How much speech on either side is compared: less is chance, more blurs where the subject changes. */
const blockSeconds = 60
const leastBlockSeconds = 10

/**
 * For each sentence how much the subject changes before it, from 0 to 1, by the words on both sides (Hearst, TextTiling, 1997): what
 * two blocks share falls where one subject ends, and rises on either side.
 */
export function topicBreaks(sentences: readonly Sentence[]): number[] {
  const first = sentences[0]?.startTime ?? 0
  const seconds = (sentences.at(-1)?.endTime ?? 0) - first
  const block = Math.min(blockSeconds, Math.max(leastBlockSeconds, seconds / 8))
  const weights = stemWeights(sentences)
  const likeness = sentences.map((_, i) =>
    i === 0 ? 0 : likenessAt(sentences, { place: i, block, weights }),
  )
  return likeness.map((valley, i) => {
    if (i === 0) return 0
    const left = peak(likeness, i, -1)
    const right = peak(likeness, i, 1)
    return Math.min(1, Math.max(0, (left + right - 2 * valley) / 2))
  })
}

/** Words that are said everywhere weigh little. */
function stemWeights(sentences: readonly Sentence[]): Map<string, number> {
  const within = new Map<string, number>()
  for (const { words } of sentences) {
    for (const stem of new Set(words.flatMap((one) => (one.isContent ? [one.stem] : [])))) {
      within.set(stem, (within.get(stem) ?? 0) + 1)
    }
  }
  return new Map([...within].map(([stem, n]) => [stem, Math.log(1 + sentences.length / n)]))
}

type Place = { place: number; block: number; weights: ReadonlyMap<string, number> }

function likenessAt(sentences: readonly Sentence[], { place, block, weights }: Place): number {
  const at = sentences[place]?.startTime ?? 0
  const before = new Map<string, number>()
  const after = new Map<string, number>()
  for (let i = place - 1; i >= 0 && at - (sentences[i]?.endTime ?? 0) < block; i--) {
    addTo(before, sentences[i], weights)
  }
  for (let i = place; (sentences[i]?.startTime ?? Infinity) - at < block; i++) {
    addTo(after, sentences[i], weights)
  }
  let shared = 0
  for (const [stem, weight] of before) shared += weight * (after.get(stem) ?? 0)
  const size = lengthOf(before) * lengthOf(after)
  return size === 0 ? 0 : shared / size
}

function addTo(
  block: Map<string, number>,
  sentence: Sentence | undefined,
  weights: ReadonlyMap<string, number>,
): void {
  for (const { stem, isContent } of sentence?.words ?? []) {
    if (isContent) block.set(stem, (block.get(stem) ?? 0) + (weights.get(stem) ?? 0))
  }
}

function lengthOf(block: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const weight of block.values()) sum += weight * weight
  return Math.sqrt(sum)
}

/** The likeness uphill from a valley: as far as it rises. */
function peak(likeness: readonly number[], valley: number, step: 1 | -1): number {
  let highest = likeness[valley] ?? 0
  for (let i = valley + step; i > 0 && i < likeness.length; i += step) {
    const here = likeness[i] ?? 0
    if (here < highest) break
    highest = here
  }
  return highest
}
