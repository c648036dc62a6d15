import type { Chapter } from '../../../worker/contract/job/report.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { titleOf, type Talk } from './talk.ts'
import { announced } from './announcements.ts'
import { bestClause, typicalStems } from './best-clause.ts'
import type { Sentence } from './sentences.ts'
import { upperFirst } from '../../../worker/contract/upper-first.ts'

/** A chapter for each subject of a talk. The first begins with the film, so that all of it belongs to a chapter. */
export function findChapters(talk: Talk): Chapter[] {
  const { sentences, subjects } = talk
  return subjects.map((from, n) => ({
    startTime: n === 0 ? 0 : thousandths(sentences[from]?.startTime ?? 0),
    title: chapterTitle(sentences.slice(from, subjects[n + 1]), talk),
  }))
}

const longestTitle = { mostChars: 60, words: { least: 2, most: 9 } }
/** A part is announced within its first sentences, if at all. */
const announcing = 3

/** What the speakers themselves call the part: what they announce, or the short clause that contains most of its words. */
function chapterTitle(part: readonly Sentence[], talk: Talk): string {
  const [first] = part
  if (!first) return ''
  const [subject] = part
    .slice(0, announcing)
    .flatMap((sentence) => announced(sentence, talk.language) ?? [])
  if (subject !== undefined) return upperFirst(subject)
  return (
    bestClause(part, talk, typicalStems(part, talk), longestTitle) ??
    titleOf(first, talk.language, longestTitle.mostChars)
  )
}
