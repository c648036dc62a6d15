import type { SaidWord, Sentence } from './sentences.ts'
import { bareWord } from './stems.ts'
import { countStems, titleOf, type Talk } from './talk.ts'
import { greets, leansBack } from './beginnings.ts'
import { upperFirst } from '../../../worker/contract/upper-first.ts'

/** A part is more likely to be about what it begins with. */
const firstSentences = 3
/** How many of the best are judged by their grammar, which takes a millisecond for each. */
const mostJudged = 12
/** For a clause without a verb of its own, such as the rest of a list. */
const unsaid = 0.6

/** Words that this part repeats and the others hardly say. */
export function typicalStems(part: readonly Sentence[], { said }: Talk): Map<string, number> {
  return new Map(
    [...countStems(part)]
      .map(([stem, count]) => [stem, (count * count) / (said.get(stem) ?? count)] as const)
      .filter(([, weight]) => weight >= 1),
  )
}

type Rank = { readonly text: string; readonly rank: number }
type ClauseLength = {
  readonly mostChars: number
  readonly words: { readonly least: number; readonly most: number }
}

/** The clause that contains most of the words that are typical of a part, if one contains any. */
export function bestClause(
  part: readonly Sentence[],
  talk: Talk,
  typical: ReadonlyMap<string, number>,
  wanted: ClauseLength,
): string | undefined {
  const most = Math.max(1, ...typical.values())
  const clauses = part.flatMap((sentence, place) =>
    clausesOf(sentence, talk, wanted).map(({ text, stems, isWhole, isFirst }): Rank => {
      const told = stems.reduce((sum, stem) => sum + (typical.get(stem) ?? 0) / most, 0)
      const isQuestion = text.endsWith('?') && stems.length > 0
      const early = place < firstSentences ? 0.3 : 0
      const later = isFirst ? 0 : -0.25
      const extra = later + (isQuestion ? 0.4 : 0) + (isWhole ? 0.3 : 0) + early
      const against = 0.35 * leans(text, talk)
      return { text, rank: told === 0 ? 0 : Math.min(told, 2) + extra - against }
    }),
  )
  const [best] = clauses
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, mostJudged)
    .map(({ text, rank }) => ({ text, rank: talk.says(text) ? rank : rank - unsaid }))
    .toSorted((a, b) => b.rank - a.rank)
  return best && best.rank > 0 ? upperFirst(best.text) : undefined
}

/** How many of its words mean something only to somebody who has heard what was said before. */
export function leans(text: string, { language }: Talk): number {
  if (language === 'en') return (text.match(leaning) ?? []).length
  return leansBack(text, language) || greets(text) ? 1 : 0
}

const leaning =
  /\b(?:i|me|my|it|its|it['’]s|they|them|their|he|she|his|her|him|this|that|that['’]s|these|those|there|here|there['’]s|one|ones|yeah|not|really|just|kind of|sort of|also|too|now)\b/giu
/** An English clause does not end with one of these, nor begin with a word that joins it to what comes before. */
const dangling =
  /\s(?:a|an|the|of|to|in|on|at|for|with|and|or|but|is|are|was|be|that|which|who|i|you|we|your|my|know|say|said|so|if|than|as|the same)$/iu
const incomplete =
  /^(?:in order to|is|are|was|were|has|have|had|does|did|may|might|must|will|would|can|could|should|uses?|rather than|instead of)\b(?!.*\?)/iu
/** What somebody does, without saying who: "needs a key". */
const subjectless =
  /^(?!(?:always|sometimes|perhaps|besides|across|yes)\b)[a-z]+[^s\W]s (?:the|an?|your|our|its|their|no|any)\b/iu
/** Where or when something is done, which the rest of the sentence says: "on the coast", "while it rained". */
const setting =
  /^(?:about|after|among|as|at|before|by|despite|during|from|in|like|of|on|since|through|till|under|unless|until|whether|while|without|although)\b/iu
/** What somebody does who was named earlier in the sentence: "settling in the west", "produced relief". */
const participle = /^\p{Ll}+(?:ing|[^e\W]ed)\b/u
const joining =
  /^(?:(?:and|but|so|because|or|which|that|than|then|if|when|while|who|whereas|like|as|well|okay|right|otherwise|maybe|for|to|with|now|you know(?! (?:what|how|why|who|where)\b)|i mean|i think|i guess),?\s+)+/iu

type Clause = { text: string; stems: string[]; isWhole: boolean; isFirst: boolean }

/**
 * What of a sentence may be a title, with all words sure: clauses that are short enough. Only those of English are known from what
 * merely goes on with others, so a sentence of another language is taken from its beginning.
 */
function clausesOf(sentence: Sentence, { language }: Talk, wanted: ClauseLength): Clause[] {
  if (language === 'en') return englishClauses(sentence, wanted)
  const text = titleOf(sentence, language, wanted.mostChars)
  const own = wordsIn(text.split(/\s+/), sentence)
  if (own.length < wanted.words.least || own.some((word) => word?.isSure === false)) return []
  return [{ text, stems: stemsOf(own), isWhole: !text.endsWith('…'), isFirst: true }]
}

type MaybeWord = SaidWord | undefined

function wordsIn(tokens: readonly string[], { words }: Sentence): MaybeWord[] {
  const known = new Map(words.map((word) => [word.text, word]))
  return tokens.map((token) => known.get(bareWord(token)))
}

const stemsOf = (words: readonly MaybeWord[]) => [
  ...new Set(words.flatMap((word) => (word?.isContent ? [word.stem] : []))),
]

function englishClauses(sentence: Sentence, { mostChars, words: count }: ClauseLength): Clause[] {
  const { text } = sentence
  const mark = /[?？]$/u.exec(text.trim())?.[0] ?? ''
  const parts = text
    .split(/[,;:]+(?=\s|$)\s*|[.!?…]+$|[，。；：！？]+|\s+[–—-]\s+/u)
    .filter((one) => one.trim() !== '')
  return parts.flatMap((raw, place) => {
    const said = raw.trim().replace(joining, '')
    const tokens = said.split(/\s+/)
    const own = wordsIn(tokens, sentence)
    const isShort = tokens.length >= count.least && tokens.length <= count.most
    if (!isShort || said.length > mostChars || own.some((word) => word?.isSure === false)) return []
    const isWhole = parts.length === 1
    if (dangling.test(said) || incomplete.test(said) || subjectless.test(said)) return []
    if (!isWhole && setting.test(said)) return []
    if (place > 0 && participle.test(said)) return []
    const isLast = place === parts.length - 1
    const stems = stemsOf(own)
    return [{ text: isLast ? `${said}${mark}` : said, stems, isWhole, isFirst: place === 0 }]
  })
}
