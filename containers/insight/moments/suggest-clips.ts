import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SuggestedClip } from '../../../worker/contract/job/report.ts'
import type { ClipsAsked } from '../../../worker/contract/options/moments.ts'
import { bestClause, leans, typicalStems } from './best-clause.ts'
import { bareWord, contentStem, stemOf } from './stems.ts'
import { titleOf, type Talk } from './talk.ts'
import { Gathered, tellingOf } from './telling.ts'
import { isQuestion, weighClip, type Weighed } from './weigh-clip.ts'
import { thousandthsAbove, thousandthsBelow } from '../../numbers/thousandths.ts'
import type { Timed } from '../../../worker/contract/layout/word-left.ts'

/** Sentences that follow each other, by their places in the talk; `to` is the last of them. */
type SentenceRange = { readonly from: number; readonly to: number }
type Candidate = Weighed & SentenceRange & Timed

/** Room around the words, as far as the neighbouring words leave some. */
const room = { before: 0.15, after: 0.35 }
const longestTitle = { mostChars: 70, words: { least: 4, most: 13 } }
/** Other work shares this thread. */
const sentencesPerTurn = 20

/**
 * The best clips of a talk, in its order: whole sentences, none in two clips. With `about` only those that name it. The same talk
 * gives the same clips.
 */
export async function suggestClips(
  talk: Talk,
  asked: ClipsAsked,
  durationSeconds: number,
): Promise<SuggestedClip[]> {
  const wanted = wantedStems(asked.about, talk.language)
  const chosen: Candidate[] = []
  for (const one of worthTelling(await candidates(talk, asked, { wanted, durationSeconds }))) {
    if (chosen.length === asked.count) break
    if (chosen.every(({ from, to }) => one.to < from || one.from > to)) chosen.push(one)
  }
  return chosen
    .toSorted((a, b) => a.from - b.from)
    .map(({ startTime, endTime, score, reasons, ...stretch }) => ({
      ...{ startTime, endTime, title: clipTitle(talk, stretch, wanted) },
      ...{ score, reasons: [...reasons] },
    }))
}

/** Nothing speaks for a clip without a score; it is only suggested if nothing else can be, because clips were asked for. */
function worthTelling(all: readonly Candidate[]): readonly Candidate[] {
  const worth = all.filter(({ score }) => score > 0)
  return worth.length > 0 ? worth : all
}

/** Stems of the words that say what is looked for; of all words, if none says more than the others. */
function wantedStems(about: string, language: string): Set<string> {
  const words = about
    .split(/\s+/)
    .map(bareWord)
    .filter((word) => word !== '')
  const telling = words.filter((word) => contentStem(word, language))
  return new Set((telling.length > 0 ? telling : words).map((word) => stemOf(word, language)))
}

type WantedWords = { readonly wanted: ReadonlySet<string>; readonly durationSeconds: number }

/** Everything that could be a clip, the best first. */
async function candidates(
  talk: Talk,
  { minDuration, maxDuration }: ClipsAsked,
  { wanted, durationSeconds }: WantedWords,
): Promise<Candidate[]> {
  const all = talk.sentences.map((sentence) => tellingOf(sentence, talk, wanted))
  const found: Candidate[] = []
  for (const [from, first] of all.entries()) {
    if (from % sentencesPerTurn === 0) await nextTurn()
    const clip = new Gathered(first, talk)
    let best = -1
    for (let to = from; to < all.length; to++) {
      const one = all[to]
      const span = spanOf(talk, { from, to }, durationSeconds)
      const seconds = span.endTime - span.startTime
      if (!one || seconds > maxDuration) break
      clip.add(one)
      if (seconds < minDuration || (wanted.size > 0 && clip.wantedTimes === 0)) continue
      const length = (seconds - minDuration) / Math.max(1, maxDuration - minDuration)
      const weighed = weighClip(clip, { talk, from, to, wanted, length })
      // A longer clip that is no better is never chosen: the shorter one fits wherever it does.
      if (weighed.score <= best) continue
      best = weighed.score
      found.push({ from, to, ...span, ...weighed })
    }
  }
  return found.toSorted((a, b) => b.score - a.score || a.from - b.from || a.to - b.to)
}

/** Begins and ends in the pauses around the sentences, never in the middle of a word. */
function spanOf({ sentences }: Talk, { from, to }: SentenceRange, durationSeconds: number): Timed {
  const [first, last] = [sentences[from], sentences[to]]
  const before = sentences[from - 1]?.endTime ?? 0
  const after = sentences[to + 1]?.startTime ?? durationSeconds
  const begin = first?.startTime ?? 0
  const end = last?.endTime ?? 0
  // Half of a pause belongs to its other side.
  const startTime = begin - Math.min(room.before, Math.max(0, begin - before) / 2)
  const endTime = end + Math.min(room.after, Math.max(0, after - end) / 2)
  return { startTime: thousandthsAbove(startTime), endTime: thousandthsBelow(endTime) }
}

/** The question that it begins with, if that makes sense by itself, or the clause that says best what the clip is about. */
function clipTitle(talk: Talk, { from, to }: SentenceRange, wanted: ReadonlySet<string>): string {
  const part = talk.sentences.slice(from, to + 1)
  const [first] = part
  if (!first) return ''
  const own = titleOf(first, talk.language, longestTitle.mostChars)
  const tells = first.words.some(({ isContent }) => isContent) && leans(own, talk) === 0
  if (isQuestion(first) && tells) return own
  const typical = typicalStems(part, talk)
  const most = Math.max(1, ...typical.values())
  for (const stem of wanted) typical.set(stem, 2 * most)
  return bestClause(part, talk, typical, longestTitle) ?? own
}
