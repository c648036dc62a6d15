import type { Says } from './grammar.ts'
import type { Sentence } from './sentences.ts'

/** What one sentence is compared with: the rest of what is said. */
export type Talk = {
  readonly language: string
  readonly sentences: readonly Sentence[]
  /** How often each stem of a word with content is said. */
  readonly said: ReadonlyMap<string, number>
  /** Each stem in the form in which it is said most often; without those that nobody is sure of. */
  readonly spelled: ReadonlyMap<string, string>
  /** Words a second. */
  readonly rate: number
  /** 0 … 1, by sentence: how much the subject changes before it. */
  readonly breaks: readonly number[]
  /** Words that are also said without a capital, which names are not. */
  readonly uncapitalised: ReadonlySet<string>
  readonly says: Says
}

export function talkOf(
  sentences: readonly Sentence[],
  language: string,
  says: Says = () => true,
): Talk {
  const words = sentences.flatMap((sentence) => sentence.words)
  const spoken = sentences.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  return {
    language,
    sentences,
    said: countStems(sentences),
    spelled: spellStems(sentences),
    rate: words.length / Math.max(1, spoken),
    breaks: topicBreaks(sentences),
    uncapitalised: new Set(words.flatMap(({ text }) => (/^\p{Ll}/u.test(text) ? [text] : []))),
    says,
  }
}

export function countStems(sentences: readonly Sentence[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { stem, isContent } of sentences.flatMap(({ words }) => words)) {
    if (isContent) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return counts
}

/** The capital of the first word of a sentence says nothing about the word, unless it has several or is also said elsewhere. */
function spellStems(sentences: readonly Sentence[]): Map<string, string> {
  const within = new Set(sentences.flatMap(({ words }) => words.slice(1).map(({ text }) => text)))
  const forms = new Map<string, Map<string, number>>()
  for (const { words } of sentences) {
    for (const [i, { text, stem, isSure }] of words.entries()) {
      if (!isSure) continue
      const isOwn = i > 0 || within.has(text) || /\p{Lu}.*\p{Lu}/u.test(text)
      const form = isOwn ? text : text.toLowerCase()
      const known = forms.get(stem) ?? new Map<string, number>()
      forms.set(stem, known.set(form, (known.get(form) ?? 0) + 1))
    }
  }
  return new Map(
    [...forms].flatMap(([stem, counts]) => {
      const [most] = [...counts].toSorted((a, b) => b[1] - a[1])
      return most ? [[stem, most[0]] as const] : []
    }),
  )
}

/**
 * How speakers of English begin, which says nothing to somebody who has not heard what was said before. Some of these words say
 * something unless a comma follows: "No one knew", "Right after lunch", "So far".
 */
const beginning =
  /^(?:(?:and|but|okay|ok|yeah|um|uh)(?:,\s*|\s+)|so(?:,\s*|\s+(?!(?:far|few|little|long|many|much)\b))|(?:well|now|yes|no|right|wait|look),\s*)+/iu

/** The sentence as the title of a part, at most this long. */
export function titleOf({ text }: Sentence, language: string, maxChars: number): string {
  const said = text.replaceAll(/\s+/g, ' ').replace(/[.,;:…]+$/u, '')
  const bare = language === 'en' ? said.replace(beginning, '') : said
  const plain = bare.includes(' ') ? `${bare.charAt(0).toUpperCase()}${bare.slice(1)}` : said
  if (plain.length <= maxChars) return plain
  const space = plain.lastIndexOf(' ', maxChars - 1)
  const clause = plain.slice(0, maxChars).search(/[,;:](?=\s[^,;:]*$)/u)
  const cut = clause > maxChars / 2 ? clause : space
  const kept = plain.slice(0, cut > 0 ? cut : maxChars - 1).toWellFormed()
  return `${kept.replace(/[.,;:]+$/u, '')}…`
}

/** How much speech on either side is compared: less is chance, more blurs where the subject changes. */
const blockSeconds = 60
const leastBlockSeconds = 10

/**
 * For each sentence how much the subject changes before it, from 0 to 1, by the words on both sides (Hearst, TextTiling, 1997): what
 * two blocks share falls where one subject ends, and rises on either side.
 */
function topicBreaks(sentences: readonly Sentence[]): number[] {
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
