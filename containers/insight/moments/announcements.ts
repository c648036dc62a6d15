import type { Sentence } from './sentences.ts'

/** How speakers of English say what comes next: "let's talk about prices", "and that brings me to water". */
const announcements = [
  /\b(?:let['’]?s|let me|let us|i want to|i['’]d like to|i['’]m going to|we['’]ll|we will|we have to|you about) (?:[a-z]+ ){0,2}?(?:talk|speak|ask|say a word|tell you|hear|about)(?: you)?(?: a (?:little )?bit)? about (?<subject>[^,.;:?!]+)/iu,
  /\b(?:let['’]?s|let me|i want to|we|that|this) (?:[a-z]+ )?(?:come|comes|get|move on|turn|go back|go|jump|start|begin|brings? (?:me|us)) (?:to|into|with) (?<subject>[^,.;:?!]+)/iu,
  /\b(?:next|first|other|second|third|last) (?:[a-z]+ )?(?:thing|part|point|problem|step|question|topic)\b[^,.;:?!]{0,40}?\bis (?<subject>[^,.;:?!]+)/iu,
  /\bthing (?:that )?(?:nobody|no one|people|everybody)\b[^,.;:?!]{0,40}?\bis (?<subject>[^,.;:?!]+)/iu,
]
/** After one of these words, the sentence goes on about something else. */
const goingOn =
  /\s(?:because|and (?:i|you|we|they|then)|who|which|that|so|but|when|where|for a)\b.*$/iu
const longest = { chars: 60, words: 6 }

/** What somebody announces to come next, if it is said here and is short. */
export function announced(sentence: Sentence, language: string): string | undefined {
  if (language !== 'en' || sentence.words.some(({ isSure }) => !isSure)) return undefined
  return announcements
    .flatMap((pattern) => pattern.exec(sentence.text)?.groups?.['subject'] ?? [])
    .map((said) => said.replace(goingOn, ''))
    .map((said) => said.replace(/^(?:this|that|it|you|my|some|something|the) /iu, '').trim())
    .find((subject) => isSubject(subject, sentence))
}

function isSubject(subject: string, { words }: Sentence): boolean {
  const own = new Set(subject.split(' '))
  const isLong = subject.length > longest.chars || own.size > longest.words
  return !isLong && words.some(({ text, isContent }) => isContent && own.has(text))
}

/** How speakers of English turn to something else. */
const opening =
  /^(?:now|next|so|okay|ok|all right|alright|well|finally|first|second|third|let['’]?s|let (?:me|us)|moving on|another)(?:,|\s)/iu

/** Whether a sentence begins as sentences do that change the subject. */
export function opens(sentence: Sentence, language: string): boolean {
  if (announced(sentence, language) !== undefined) return true
  return language === 'en' && opening.test(sentence.text)
}
