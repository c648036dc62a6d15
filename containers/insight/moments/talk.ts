import type { IsStatement } from './grammar.ts'
import type { Sentence } from './sentences.ts'
import { subjectStarts } from './subjects.ts'
import { upperFirst } from '../../../worker/contract/upper-first.ts'

/** What one sentence is compared with: the rest of what is said. */
export type Talk = {
  readonly language: string
  readonly sentences: readonly Sentence[]
  /** How often each stem of a word with content is said. */
  readonly said: ReadonlyMap<string, number>
  /** Each stem in the form in which it is said most often, except for uncertain words. */
  readonly spelled: ReadonlyMap<string, string>
  /** Words a second. */
  readonly rate: number
  /** Whether most sentences begin with a capital. */
  readonly hasCapitals: boolean
  /** The places of the sentences with which a subject begins. */
  readonly subjects: readonly number[]
  /** Words that are also said without a capital, which names are not. */
  readonly uncapitalised: ReadonlySet<string>
  readonly says: IsStatement
}

export function talkOf(
  sentences: readonly Sentence[],
  language: string,
  says: IsStatement = () => true,
): Talk {
  const words = sentences.flatMap((sentence) => sentence.words)
  const spoken = sentences.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  return {
    language,
    sentences,
    said: countStems(sentences),
    spelled: spellStems(sentences),
    rate: words.length / Math.max(1, spoken),
    hasCapitals:
      2 * sentences.filter(({ text }) => /^\P{L}*\p{Lu}/u.test(text)).length > sentences.length,
    subjects: subjectStarts(sentences, language),
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

/** The capital of the first word of a sentence tells nothing, unless the word has several or is also said elsewhere. */
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
 * How speakers of English begin, in words that mean nothing to somebody who has not heard what was said before. Some of these words
 * do mean something unless a comma follows: "No one knew", "Right after lunch", "So far".
 */
const beginning =
  /^(?:(?:and|but|okay|ok|yeah|um|uh)(?:,\s*|\s+)|so(?:,\s*|\s+(?!(?:far|few|little|long|many|much)\b))|(?:well|now|yes|no|right|wait|look),\s*)+/iu

/** The sentence as the title of a part, at most this long. */
export function titleOf({ text }: Sentence, language: string, maxChars: number): string {
  const said = text.replaceAll(/\s+/g, ' ').replace(/[.,;:…]+$/u, '')
  const bare = language === 'en' ? said.replace(beginning, '') : said
  const plain = bare.includes(' ') ? upperFirst(bare) : said
  if (plain.length <= maxChars) return plain
  const space = plain.lastIndexOf(' ', maxChars - 1)
  const clause = plain.slice(0, maxChars).search(/[,;:](?=\s[^,;:]*$)/u)
  const cut = clause > maxChars / 2 ? clause : space
  const kept = plain.slice(0, cut > 0 ? cut : maxChars - 1).toWellFormed()
  return `${kept.replace(/[.,;:]+$/u, '')}…`
}
