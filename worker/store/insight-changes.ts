import { inArray, sql, type SQL } from 'drizzle-orm'
import type { InsightProgress } from '../contract/report.ts'
import { insightStatusesBefore, type InsightStatus } from '../contract/video-state.ts'
import { videos } from './tables.ts'

/** How far transcript and analysis are, as far as anything is known of them. */
export type Insights = { transcript?: InsightProgress; analysis?: InsightProgress }

type Kept = { progress: number } | null
type Columns = {
  transcriptStatus?: SQL
  transcript?: SQL
  analysisStatus?: SQL
  analysis?: SQL
}

const rowsOf = {
  transcript: { status: videos.transcriptStatus, kept: videos.transcript },
  analysis: { status: videos.analysisStatus, kept: videos.analysis },
} as const

/** Both columns of one of them, changed only where the table of states allows it; else they stay as they are. */
function moved(
  name: keyof typeof rowsOf,
  from: readonly InsightStatus[],
  to: { status: InsightStatus; kept: Kept },
): Columns {
  const { status, kept } = rowsOf[name]
  const isLegal = inArray(status, from)
  const json = to.kept === null ? null : JSON.stringify(to.kept)
  return {
    [`${name}Status` as const]: sql`case when ${isLegal} then ${to.status} else ${status} end`,
    [name]: sql`case when ${isLegal} then ${json} else ${kept} end`,
  }
}

/** For the same UPDATE that shows progress. */
export function insightColumns({ transcript, analysis }: Insights): Columns {
  return {
    ...(transcript && progressed('transcript', transcript)),
    ...(analysis && progressed('analysis', analysis)),
  }
}

function progressed(name: keyof typeof rowsOf, to: InsightProgress): Columns {
  const from = insightStatusesBefore(to.status)
  return to.status === 'processing'
    ? moved(name, [...from, to.status], { ...to, kept: { progress: to.progress } })
    : moved(name, from, { ...to, kept: null })
}

/** A new attempt begins again with what the last one had begun. */
export function insightsToBeginAgain(): Columns {
  const from = insightStatusesBefore('pending')
  const pending = { status: 'pending', kept: null } as const
  return { ...moved('transcript', from, pending), ...moved('analysis', from, pending) }
}
