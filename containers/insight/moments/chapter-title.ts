import type { Sentence } from './sentences.ts'
import { countStems, titleOf, type Talk } from './talk.ts'

const longestTitle = 60
const shortestClause = 2
const longestClause = 9
/** A part is announced within its first sentences, if at all. */
const announcing = 3

/** How speakers of English say what comes next: "let's talk about prices", "and that brings me to water". */
const announcements = [
  /\b(?:let['’]?s|let me|let us|i want to|i['’]d like to|i['’]m going to|we['’]ll|we will|we have to|you about) (?:[a-z]+ ){0,2}?(?:talk|speak|ask|say a word|tell you|hear|about)(?: you)?(?: a (?:little )?bit)? about (?<subject>[^,.;:?!]+)/iu,
  /\b(?:let['’]?s|let me|i want to|we|that|this) (?:[a-z]+ )?(?:come|comes|get|move on|turn|go back|go|jump|start|begin|brings? (?:me|us)) (?:to|into|with) (?<subject>[^,.;:?!]+)/iu,
  /\b(?:next|first|other|second|third|last) (?:[a-z]+ )?(?:thing|part|point|problem|step|question|topic)\b[^,.;:?!]{0,40}?\bis (?<subject>[^,.;:?!]+)/iu,
  /\bthing (?:that )?(?:nobody|no one|people|everybody)\b[^,.;:?!]{0,40}?\bis (?<subject>[^,.;:?!]+)/iu,
]
/** Behind these words a subject goes on about something else. */
const goingOn =
  /\s(?:because|and (?:i|you|we|they|then)|who|which|that|so|but|when|where|for a)\b.*$/iu

/** What the part is called by those who speak in it: what they announce, or the short clause that says most of its words. */
export function chapterTitle(part: readonly Sentence[], talk: Talk): string {
  const [first] = part
  if (!first) return ''
  const typical = typicalStems(part, talk)
  return (
    announced(part.slice(0, announcing), talk) ??
    bestClause(part, talk, typical) ??
    titleOf(first, talk.language, longestTitle)
  )
}

/** Words that this part repeats and the others hardly say. */
function typicalStems(part: readonly Sentence[], { said }: Talk): Map<string, number> {
  return new Map(
    [...countStems(part)]
      .map(([stem, count]) => [stem, (count * count) / (said.get(stem) ?? count)] as const)
      .filter(([, weight]) => weight >= 1),
  )
}

/** Whether somebody says here what comes next. */
export function announces(sentence: Sentence, talk: Talk): boolean {
  return announced([sentence], talk) !== undefined
}

function announced(sentences: readonly Sentence[], talk: Talk): string | undefined {
  if (talk.language !== 'en') return undefined
  for (const sentence of sentences) {
    if (sentence.words.some(({ isSure }) => !isSure)) continue
    for (const pattern of announcements) {
      const found = pattern.exec(sentence.text)?.groups?.['subject']?.replace(goingOn, '')
      const subject =
        found?.replace(/^(?:this|that|it|you|my|some|something|the) /iu, '').trim() ?? ''
      if (isSubject(subject, sentence)) return capitalised(subject)
    }
  }
  return undefined
}

function isSubject(subject: string, { words }: Sentence): boolean {
  const own = new Set(subject.split(' '))
  const isLong = subject.length > longestTitle || own.size > 6
  return !isLong && words.some(({ text, isContent }) => isContent && own.has(text))
}

type Clause = { readonly text: string; readonly rank: number }

function bestClause(
  part: readonly Sentence[],
  talk: Talk,
  typical: ReadonlyMap<string, number>,
): string | undefined {
  const most = Math.max(1, ...typical.values())
  const clauses = part.flatMap((sentence, place) =>
    clausesOf(sentence, talk).map(({ text, stems, isWhole, isFirst }): Clause => {
      const told = stems.reduce((sum, stem) => sum + (typical.get(stem) ?? 0) / most, 0)
      const isQuestion = text.endsWith('?') && stems.length > 0
      const leans = talk.language === 'en' ? (text.match(leaning) ?? []).length : 0
      const early = place < announcing ? 0.3 : 0
      const later = isFirst ? 0 : -0.25
      const extra = later + (isQuestion ? 0.4 : 0) + (isWhole ? 0.3 : 0) + early
      return { text, rank: told === 0 ? 0 : Math.min(told, 2) + extra - 0.35 * leans }
    }),
  )
  const [best] = clauses.toSorted((a, b) => b.rank - a.rank)
  return best && best.rank > 0.6 ? capitalised(best.text) : undefined
}

/** Says little to somebody who has not heard what was said before. */
const leaning =
  /\b(?:i|me|my|it|its|it['’]s|they|them|their|he|she|his|her|him|this|that|that['’]s|these|those|there|here|there['’]s|one|ones|yeah|not|really|just|kind of|sort of|also|too|now)\b/giu
/** A clause of English does not end with one of these, nor begin with a word that joins it to what stands before. */
const dangling =
  /\s(?:a|an|the|of|to|in|on|at|for|with|and|or|but|is|are|was|be|that|which|who|i|you|we|your|my|know|say|said|so|if|than|as)$/iu
const incomplete =
  /^(?:in order to|is|are|was|were|has|have|had|does|did|uses?|rather than|instead of)\b(?!.*\?)/iu
const joining =
  /^(?:(?:and|but|so|because|or|which|that|than|then|if|when|who|whereas|like|as|well|okay|right|otherwise|maybe|for|to|with|now|you know|i mean|i think|i guess),?\s+)+/iu

/** The clauses of a sentence that are short enough for a title, with all words sure. */
function clausesOf(
  { text, words }: Sentence,
  { language }: Talk,
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
    const isShort = tokens.length >= shortestClause && tokens.length <= longestClause
    if (!isShort || said.length > longestTitle || own.some((word) => word?.isSure === false))
      return []
    if (language === 'en' && (dangling.test(said) || incomplete.test(said))) return []
    const stems = [...new Set(own.flatMap((word) => (word?.isContent ? [word.stem] : [])))]
    const isLast = place === parts.length - 1
    return [
      {
        text: isLast ? `${said}${mark}` : said,
        stems,
        isWhole: parts.length === 1,
        isFirst: place === 0,
      },
    ]
  })
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
