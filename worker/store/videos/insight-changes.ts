import { inArray, sql, type SQL } from 'drizzle-orm'
import type { InsightProgress } from '../../contract/job/report.ts'
import { insightStatusesBefore, type InsightStatus } from '../../contract/video/video-state.ts'
import { videos } from '../tables/tables.ts'

/** The progress of transcript and analysis, as far as it is known. */
export type InsightNews = { transcript?: InsightProgress; analysis?: InsightProgress }

type InsightColumns = {
  transcriptStatus?: SQL
  transcript?: SQL
  analysisStatus?: SQL
  analysis?: SQL
}

const rowsOf = {
  transcript: { status: videos.transcriptStatus, kept: videos.transcript },
  analysis: { status: videos.analysisStatus, kept: videos.analysis },
} as const

/** Both columns of a transcript or an analysis. They change only if the table of states allows it. */
function moved(
  name: keyof typeof rowsOf,
  from: readonly InsightStatus[],
  to: { status: InsightStatus; kept: SQL },
): InsightColumns {
  const { status, kept } = rowsOf[name]
  const isLegal = inArray(status, from)
  return {
    [`${name}Status` as const]: sql`case when ${isLegal} then ${to.status} else ${status} end`,
    [name]: sql`case when ${isLegal} then ${to.kept} else ${kept} end`,
  }
}

/** Columns for the UPDATE that shows progress. */
export function insightColumns({ transcript, analysis }: InsightNews): InsightColumns {
  return {
    ...(transcript && progressed('transcript', transcript)),
    ...(analysis && progressed('analysis', analysis)),
  }
}

function progressed(name: keyof typeof rowsOf, to: InsightProgress): InsightColumns {
  const from = insightStatusesBefore(to.status)
  return to.status === 'processing'
    ? moved(name, [...from, to.status], { ...to, kept: noLess(name, to.progress) })
    : moved(name, from, { ...to, kept: sql`null` })
}

/** Progress that was shown does not go back, whatever a new attempt reports. */
function noLess(name: keyof typeof rowsOf, progress: number): SQL {
  const shown = sql`coalesce(json_extract(${rowsOf[name].kept}, '$.progress'), 0)`
  return sql`json_object('progress', max(${shown}, ${progress}))`
}

/**
 * A new attempt starts transcript and analysis again if the last one had begun them; the progress shown stays. The row
 * may not know that they were begun.
 */
export function insightsToBeginAgain(shown: InsightNews = {}): InsightColumns {
  const again = (name: keyof typeof rowsOf): InsightColumns => {
    const begun = shown[name]?.status === 'processing' ? shown[name].progress : undefined
    const from = insightStatusesBefore('pending')
    const known = begun === undefined ? from : [...from, 'pending' as const]
    return moved(name, known, { status: 'pending', kept: noLess(name, begun ?? 0) })
  }
  return { ...again('transcript'), ...again('analysis') }
}
