import { announced } from './announcements.ts'
import { bestClause, capitalised, typicalStems } from './best-clause.ts'
import type { Sentence } from './sentences.ts'
import { titleOf, type Talk } from './talk.ts'

const longestTitle = { mostChars: 60, words: { least: 2, most: 9 } }
/** A part is announced within its first sentences, if at all. */
const announcing = 3

/** What the part is called by those who speak in it: what they announce, or the short clause that says most of its words. */
export function chapterTitle(part: readonly Sentence[], talk: Talk): string {
  const [first] = part
  if (!first) return ''
  const [subject] = part
    .slice(0, announcing)
    .flatMap((sentence) => announced(sentence, talk.language) ?? [])
  if (subject !== undefined) return capitalised(subject)
  return (
    bestClause(part, talk, typicalStems(part, talk), longestTitle) ??
    titleOf(first, talk.language, longestTitle.mostChars)
  )
}
