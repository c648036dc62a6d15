import type { Chapter } from '../../../worker/contract/job/report.ts'
import { thousandths } from '../../numbers/thousandths.ts'
import { chapterTitle } from './chapter-title.ts'
import type { Talk } from './talk.ts'

/** A chapter for each subject of a talk. The first begins with the film, so that all of it belongs to a chapter. */
export function findChapters(talk: Talk): Chapter[] {
  const { sentences, subjects } = talk
  return subjects.map((from, n) => ({
    startTime: n === 0 ? 0 : thousandths(sentences[from]?.startTime ?? 0),
    title: chapterTitle(sentences.slice(from, subjects[n + 1]), talk),
  }))
}
