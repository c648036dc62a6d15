import { bestClause, capitalised, typicalStems } from './best-clause.ts'
import type { Sentence } from './sentences.ts'
import { titleOf, type Talk } from './talk.ts'

const longestTitle = { mostChars: 60, words: { least: 2, most: 9 } }
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
  return (
    announced(part.slice(0, announcing), talk) ??
    bestClause(part, talk, typicalStems(part, talk), longestTitle) ??
    titleOf(first, talk.language, longestTitle.mostChars)
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
  const isLong = subject.length > longestTitle.mostChars || own.size > 6
  return !isLong && words.some(({ text, isContent }) => isContent && own.has(text))
}
