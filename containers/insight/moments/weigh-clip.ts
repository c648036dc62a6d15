import { greets, leansBack } from './beginnings.ts'
import type { Sentence } from './sentences.ts'
import type { Talk } from './talk.ts'
import type { Gathered } from './telling.ts'

export type Weighed = { readonly score: number; readonly reasons: readonly string[] }

/** What each finding adds to the score. */
const worth = {
  about: 2.5,
  question: 1,
  subject: 1,
  turn: 0.8,
  number: 0.7,
  name: 0.6,
  claim: 0.6,
  pauseBefore: 0.4,
  pauseAfter: 0.4,
  faster: 0.3,
} as const
/** A clip whose findings are worth this much has the highest score. */
const enough = 3.5
const leaning = -1
/** For a clip that goes on into another subject, and for one that begins with a greeting or with thanks. */
const straying = -1
const greeting = -1.5
/** For a clip that ends with a question, whose answer is not in it. */
const unanswered = -1
/** Between clips with the same findings the shorter one is better. */
const ofLength = -0.3

const longestReason = 200

type Finding = { readonly worth: number; readonly reason: string }

type ClipSetting = {
  readonly talk: Talk
  /** The places of its first and its last sentence. */
  readonly from: number
  readonly to: number
  readonly wanted: ReadonlySet<string>
  /** 0 … 1: from the shortest to the longest clip that may be. */
  readonly length: number
}

/** How much speaks for a clip by itself, and what, in plain words. */
export function weighClip(clip: Gathered, around: ClipSetting): Weighed {
  const { talk, from, to, wanted, length } = around
  const findings = [
    ...aboutWanted(clip, wanted),
    ...opening(clip.first, talk, from),
    ...saying(clip, talk),
    ...delivery(clip, talk, to),
  ]
  const against =
    (leansBack(clip.first.text, talk.language) || goesOn(talk, from) ? leaning : 0) +
    (goesOn(talk, to + 1) ? leaning : 0) +
    (greets(clip.first.text) ? greeting : 0) +
    (from < to && isQuestion(clip.last) ? unanswered : 0) +
    (clip.goesElsewhere || strays(talk, from, to) ? straying : 0)
  const most = enough + (wanted.size > 0 ? worth.about : 0)
  const found = findings.reduce((all, finding) => all + finding.worth, against + ofLength * length)
  const sum = found * (wanted.size > 0 ? nearness(clip, to - from + 1) : 1)
  return {
    score: Math.round(Math.min(1, Math.max(0, sum / most)) * 100) / 100,
    reasons: findings.map(({ reason }) => reason.slice(0, longestReason).toWellFormed()),
  }
}

function aboutWanted(
  { wanted: found, wantedTimes }: Gathered,
  wanted: ReadonlySet<string>,
): Finding[] {
  if (found.length === 0) return []
  // All words of the subject, and each of them twice, is as close as it gets.
  const share = found.length / wanted.size
  const often = Math.min(1, wantedTimes / (2 * wanted.size))
  const names = found.map((text) => `"${text}"`).join(' and ')
  return [{ worth: worth.about * (0.6 * share + 0.4 * often), reason: `names ${names}` }]
}

/** Whether a supposed sentence continues the one before it, to judge by a recogniser that begins other sentences with a capital. */
function goesOn({ sentences, hasCapitals }: Talk, place: number): boolean {
  return hasCapitals && /^\p{Ll}/u.test(sentences[place]?.text ?? '')
}

/** 0 … 1: a clip that names its subject in every third sentence is about nothing else. */
function nearness({ wantedTimes }: Gathered, sentences: number): number {
  return Math.min(1, (3 * wantedTimes) / sentences)
}

/** Whether the subject changes inside the clip. */
function strays({ subjects }: Talk, from: number, to: number): boolean {
  return subjects.some((place) => place > from && place <= to)
}

const pauseSeconds = 0.9

function opening(first: Sentence, talk: Talk, from: number): Finding[] {
  const before = talk.sentences[from - 1]
  return [
    ...(isQuestion(first) ? [{ worth: worth.question, reason: 'begins with a question' }] : []),
    ...(from > 0 && talk.subjects.includes(from)
      ? [{ worth: worth.turn, reason: 'begins where the subject changes' }]
      : []),
    ...(before && first.startTime - before.endTime >= pauseSeconds
      ? [{ worth: worth.pauseBefore, reason: 'begins after a pause' }]
      : []),
  ]
}

export function isQuestion({ text }: Sentence): boolean {
  return /[?？]["'”’)]*$/u.test(text)
}

const leastFocus = 0.4
/** Words that say nothing are known for English alone; in other languages, two repetitions may be chance. */
const leastTimes = { english: 2, others: 3 }

function saying(clip: Gathered, talk: Talk): Finding[] {
  const { subject, number, name, claim } = clip
  const findings: Finding[] = []
  const least = talk.language === 'en' ? leastTimes.english : leastTimes.others
  const isSubject = subject && subject.focus >= leastFocus && subject.count >= least
  const word = isSubject ? talk.spelled.get(subject.stem) : undefined
  if (subject && word !== undefined) {
    const all = talk.said.get(subject.stem) ?? subject.count
    const times = subject.count === all ? 'nowhere else' : `of ${all} in all`
    const often = subject.count === 2 ? 'twice' : `${subject.count} times`
    const reason = `says "${word}" ${often}, ${times}`
    findings.push({ worth: worth.subject * Math.min(1, subject.focus / 2), reason })
  }
  const isNew = name !== undefined && name !== word && !clip.wanted.includes(name)
  if (isNew) findings.push({ worth: worth.name, reason: `names "${name}"` })
  if (number !== undefined) {
    findings.push({ worth: worth.number, reason: `gives a number: "${number}"` })
  }
  if (claim !== undefined) findings.push({ worth: worth.claim, reason: `says "${claim}"` })
  return findings
}

const clearlyFaster = 1.15

function delivery({ last, words, spokenSeconds }: Gathered, talk: Talk, to: number): Finding[] {
  const after = talk.sentences[to + 1]
  return [
    ...(after && after.startTime - last.endTime >= pauseSeconds
      ? [{ worth: worth.pauseAfter, reason: 'ends before a pause' }]
      : []),
    ...(words / Math.max(1, spokenSeconds) >= talk.rate * clearlyFaster
      ? [{ worth: worth.faster, reason: 'is spoken faster than the rest' }]
      : []),
  ]
}
