import {
  insightStatusesBefore,
  isPhase,
  phases,
  type InsightStatus,
  type Phase,
} from '../../contract/video/video-state.ts'
import type { InsightNews } from '../../store/videos/insight-changes.ts'
import type { TimeLeftRange } from '../../contract/job/paces.ts'
import type { ShownVideo, VideoRow } from '../../store/tables/tables.ts'

/** How far an attempt is. Only its job's object knows that; the row is updated when a phase begins. */
export type LiveProgress = {
  phase: Phase
  percent: number
  insights: InsightNews
  /** How much longer it works, as the media worker said at this moment. */
  left?: TimeLeftRange & { at: number }
  /** When any of these last changed for a reader. */
  at: number
}

/** The columns of a row that change while its job runs. */
export type Progressing = Pick<VideoRow, 'phase' | 'progressPercent' | 'updatedAt'> &
  Pick<ShownVideo, 'left'> &
  Partial<Pick<VideoRow, 'transcriptStatus' | 'transcript' | 'analysisStatus' | 'analysis'>>

/** A later phase does not change back to an earlier one. */
export function laterPhase(a: Phase, b: Phase): Phase {
  return phases.indexOf(a) > phases.indexOf(b) ? a : b
}

/** The row as it would be if all progress were written to it. Nothing that was shown goes back. */
export function withLive<Row extends Progressing>(row: Row, live: LiveProgress | undefined): Row {
  if (!live) return row
  const { transcript, analysis } = live.insights
  return {
    ...row,
    phase: isPhase(row.phase) ? laterPhase(row.phase, live.phase) : live.phase,
    progressPercent: Math.max(row.progressPercent, live.percent),
    updatedAt: Math.max(row.updatedAt, live.at),
    ...(live.left && { left: live.left }),
    ...(row.transcriptStatus &&
      transcript && {
        ...named('transcript', moved(row.transcriptStatus, row.transcript, transcript)),
      }),
    ...(row.analysisStatus &&
      analysis && { ...named('analysis', moved(row.analysisStatus, row.analysis, analysis)) }),
  }
}

type MovedInsight = { status: InsightStatus; kept: { progress?: number } | null }

/** Changes the record as `insightColumns` changes the row. */
function moved(
  status: InsightStatus,
  kept: { progress?: number } | null | undefined,
  to: NonNullable<InsightNews['transcript']>,
): MovedInsight | undefined {
  const isBegun = to.status === 'processing' && status === 'processing'
  if (!isBegun && !insightStatusesBefore(to.status).includes(status)) return undefined
  if (to.status !== 'processing') return { status: to.status, kept: null }
  return { status: 'processing', kept: { progress: Math.max(kept?.progress ?? 0, to.progress) } }
}

function named(name: 'transcript' | 'analysis', to: MovedInsight | undefined) {
  return to && { [`${name}Status`]: to.status, [name]: to.kept }
}
