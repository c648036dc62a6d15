import type { Sentence } from './sentences.ts'
import { countStems, type Talk } from './talk.ts'

/** What a part begins with is more likely what it is about. */
const firstSentences = 3
/** This many of the best are judged by their grammar, which takes a millisecond for each. */
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
type Wanted = {
  readonly mostChars: number
  readonly words: { readonly least: number; readonly most: number }
  readonly least: number
}

/** The clause that says most of the words that are typical of a part; none if it ranks below `least`. */
export function bestClause(
  part: readonly Sentence[],
  talk: Talk,
  typical: ReadonlyMap<string, number>,
  wanted: Wanted,
): string | undefined {
  const most = Math.max(1, ...typical.values())
  const clauses = part.flatMap((sentence, place) =>
    clausesOf(sentence, talk, wanted).map(({ text, stems, isWhole, isFirst }): Rank => {
      const told = stems.reduce((sum, stem) => sum + (typical.get(stem) ?? 0) / most, 0)
      const isQuestion = text.endsWith('?') && stems.length > 0
      const early = place < firstSentences ? 0.3 : 0
      const later = isFirst ? 0 : -0.25
      const extra = later + (isQuestion ? 0.4 : 0) + (isWhole ? 0.3 : 0) + early
      return { text, rank: told === 0 ? 0 : Math.min(told, 2) + extra - 0.35 * leans(text, talk) }
    }),
  )
  const [best] = clauses
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, mostJudged)
    .map(({ text, rank }) => ({ text, rank: talk.says(text) ? rank : rank - unsaid }))
    .toSorted((a, b) => b.rank - a.rank)
  return best && best.rank > wanted.least ? capitalised(best.text) : undefined
}

/** How many of its words mean something only to somebody who has heard what was said before. */
export function leans(text: string, { language }: Talk): number {
  return language === 'en' ? (text.match(leaning) ?? []).length : 0
}

const leaning =
  /\b(?:i|me|my|it|its|it['’]s|they|them|their|he|she|his|her|him|this|that|that['’]s|these|those|there|here|there['’]s|one|ones|yeah|not|really|just|kind of|sort of|also|too|now)\b/giu
/** A clause of English does not end with one of these, nor begin with a word that joins it to what stands before. */
const dangling =
  /\s(?:a|an|the|of|to|in|on|at|for|with|and|or|but|is|are|was|be|that|which|who|i|you|we|your|my|know|say|said|so|if|than|as)$/iu
const incomplete =
  /^(?:in order to|is|are|was|were|has|have|had|does|did|uses?|rather than|instead of)\b(?!.*\?)/iu
/** The rest of the sentence says what is done there or then: "on the coast", "while it rained". */
const setting =
  /^(?:about|after|among|as|at|before|by|despite|during|from|in|like|of|on|since|through|till|under|until|while|without)\b/iu
const joining =
  /^(?:(?:and|but|so|because|or|which|that|than|then|if|when|while|who|whereas|like|as|well|okay|right|otherwise|maybe|for|to|with|now|you know(?! (?:what|how|why|who|where)\b)|i mean|i think|i guess),?\s+)+/iu

/** The clauses of a sentence that are short enough for a title, with all words sure. */
function clausesOf(
  { text, words }: Sentence,
  { language }: Talk,
  { mostChars, words: count }: Wanted,
): { text: string; stems: string[]; isWhole: boolean; isFirst: boolean }[] {
  const known = new Map(words.map((word) => [word.text, word]))
  const mark = /[?？]$/u.exec(text.trim())?.[0] ?? ''
  const parts = text
    .split(/[,;:.!?…]+(?=\s|$)\s*|[，。；：！？]+|\s+[–—-]\s+/u)
    .filter((one) => one.trim() !== '')
  return parts.flatMap((raw, place) => {
    const said = language === 'en' ? raw.trim().replace(joining, '') : raw.trim()
    const tokens = said.split(/\s+/)
    const own = tokens.map((token) =>
      known.get(token.replaceAll(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%]+$/gu, '')),
    )
    const isShort = tokens.length >= count.least && tokens.length <= count.most
    if (!isShort || said.length > mostChars || own.some((word) => word?.isSure === false)) return []
    const isWhole = parts.length === 1
    if (language === 'en' && (dangling.test(said) || incomplete.test(said))) return []
    if (language === 'en' && !isWhole && setting.test(said)) return []
    const stems = [...new Set(own.flatMap((word) => (word?.isContent ? [word.stem] : [])))]
    const isLast = place === parts.length - 1
    return [
      {
        text: isLast ? `${said}${mark}` : said,
        stems,
        isWhole,
        isFirst: place === 0,
      },
    ]
  })
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
