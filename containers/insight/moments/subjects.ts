import { opens } from './announcements.ts'
import type { Sentence } from './sentences.ts'

/** Players list no shorter chapters. */
export const leastSeconds = 10
/** Nobody reads a longer list of chapters. */
const mostParts = 24
/** In a long talk, two changes within a hundredth of its length count as one change. */
const mostBriefly = 100

/**
 * What it costs to begin a part, measured in signs of change that occur only once in the talk. This and the share below were chosen
 * on talks of 90 seconds to an hour, made of texts of one half of a corpus, and tried on texts of the other half.
 */
const signsOfPart = 2.5
/** How much the words of the whole talk count beside those of the part: as if it had said this share of them before. */
const shareOfTalk = 0.6

type SubjectWords = {
  /** The words with content of each sentence, by their numbers. */
  readonly said: readonly (readonly number[])[]
  /** How often each word counts as having been said before a part begins. */
  readonly usual: readonly number[]
  /** What a part costs for the number of its words, whichever they are. */
  readonly ofLength: readonly number[]
}

/**
 * The places of the sentences that begin the talk and each new subject. Of all ways to divide the talk, this takes the one that
 * makes its words most likely, if each part repeats its own words (Utiyama and Isahara, 2001). Repeated words locate a change of
 * subject to within a few sentences. A pause longer than most, another voice, and words such as "now" or "let's" tell which of
 * them begins the next part.
 */
export function subjectStarts(sentences: readonly Sentence[], language: string): number[] {
  const signs = signsOfChange(sentences, language)
  const vocabulary = vocabularyOf(sentences)
  let starts = [0]
  for (let most = signsOfPart; ; most *= 1.5) {
    const cost = most * Math.log(Math.max(2, sentences.length))
    starts = cheapest(sentences, vocabulary, (i) => cost - (signs[i] ?? 0))
    if (starts.length <= mostParts) return starts
  }
}

function vocabularyOf(sentences: readonly Sentence[]): SubjectWords {
  const numbers = new Map<string, number>()
  const counts: number[] = []
  const said = sentences.map(({ words }) =>
    words.flatMap(({ stem, isContent }) => {
      if (!isContent) return []
      const number = numbers.get(stem) ?? numbers.size
      numbers.set(stem, number)
      counts[number] = (counts[number] ?? 0) + 1
      return [number]
    }),
  )
  const total = counts.reduce((sum, times) => sum + times, 0)
  const ofLength = [0]
  for (let words = 0; words < total; words++) {
    ofLength.push((ofLength[words] ?? 0) + Math.log1p(words / (shareOfTalk * total)))
  }
  return { said, usual: counts.map((times) => shareOfTalk * times), ofLength }
}

/** For each sentence, how much suggests a change before it: the less usual a sign is in this talk, the more it counts. */
function signsOfChange(sentences: readonly Sentence[], language: string): number[] {
  const before = (i: number): Sentence | undefined => sentences[i - 1]
  const pauses = sentences.map(({ startTime }, i) => startTime - (before(i)?.endTime ?? startTime))
  const ordered = pauses.slice(1).toSorted((a, b) => b - a)
  const turns = sentences.map(({ speaker }, i) => i > 0 && speaker !== before(i)?.speaker)
  const openings = sentences.map((sentence) => opens(sentence, language))
  const rarity = (times: number): number => Math.log(sentences.length / Math.max(1, times))
  const ofTurn = rarity(turns.filter(Boolean).length)
  const ofOpening = rarity(openings.filter(Boolean).length)
  return pauses.map((pause, i) => {
    // Pauses that are nearly as long are of one kind.
    const shorter = ordered.findIndex((other) => other < pause * 0.9)
    const ofPause = pause > 0 ? rarity(shorter < 0 ? ordered.length : shorter) : 0
    return ofPause + (turns[i] ? ofTurn : 0) + (openings[i] ? ofOpening : 0)
  })
}

/** The cheapest way to divide all sentences into parts, by dynamic programming over the sentence at which each part ends. */
function cheapest(
  sentences: readonly Sentence[],
  vocabulary: SubjectWords,
  costOfPart: (i: number) => number,
): number[] {
  const count = sentences.length
  const endTime = sentences.at(-1)?.endTime ?? 0
  const apart = Math.max(leastSeconds, endTime / mostBriefly)
  const startOf = (i: number): number => (i === 0 ? 0 : (sentences[i]?.startTime ?? endTime))
  const costs = [0]
  const begins = [0]
  for (let from = 0; from < count; from++) {
    const before = costs[from]
    if (before === undefined) continue
    const cost = before + (from === 0 ? 0 : costOfPart(from))
    for (const [i, words] of growing(vocabulary, from).entries()) {
      const to = from + i + 1
      const isWhole = from === 0 && to === count
      if (!isWhole && startOf(to) - startOf(from) < apart) continue
      if (cost + words >= (costs[to] ?? Infinity)) continue
      costs[to] = cost + words
      begins[to] = from
    }
  }
  const starts: number[] = []
  for (let to = count; to > 0; to = begins[to] ?? 0) starts.unshift(begins[to] ?? 0)
  return starts
}

/**
 * What the words of a part that begins with a sentence cost, for each sentence with which it may end, compared with what they would
 * cost if they were drawn from the words of the whole talk.
 */
function growing({ said, usual, ofLength }: SubjectWords, from: number): Float64Array {
  const own = new Float64Array(usual.length)
  const costs = new Float64Array(said.length - from)
  let known = 0
  let words = 0
  for (let i = from; i < said.length; i++) {
    for (const word of said[i] ?? []) {
      const times = own[word] ?? 0
      if (times > 0) known += Math.log1p(times / (usual[word] ?? 1))
      own[word] = times + 1
      words++
    }
    costs[i - from] = (ofLength[words] ?? 0) - known
  }
  return costs
}
