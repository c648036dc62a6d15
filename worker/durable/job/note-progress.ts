import type { Report } from '../../contract/job/report.ts'
import { laterPhase } from '../../service/jobs/live-progress.ts'
import { describeError, log } from '../../service/log.ts'
import type { InsightNews } from '../../store/videos/insight-changes.ts'
import { saveProgress, type Claim, type ShownProgress } from '../../store/videos/transitions.ts'
import { withPhase, type Running } from './job-memory.ts'

type HeardProgress = {
  report: Extract<Report, { type: 'progress' }>
  /** Whether D1 has confirmed the claim since this object came to life, and since it last tried to end it. */
  isConfirmed: boolean
}

/** `saved`: D1 was asked, and the claim still holds. */
type NotedProgress = { running: Running; saved: boolean }

/**
 * The attempt after a progress report, or `moved-on` if its claim no longer holds. Readers ask this object for progress;
 * D1 is told when a phase begins, and asked whether the claim holds by an object that may have missed its end.
 */
export async function noteProgress(
  d1: D1Database,
  claim: Claim,
  running: Running,
  { report, isConfirmed }: HeardProgress,
): Promise<NotedProgress | 'moved-on'> {
  const now = Date.now()
  const percent = Math.max(running.percent, goingOn(running, report.progressPercent))
  const { transcript, analysis } = report
  const known = running.insights
  const insights = { ...known, ...(transcript && { transcript }), ...(analysis && { analysis }) }
  const phase = laterPhase(running.phase, report.phase ?? running.phase)
  const next = { phase, percent, insights }
  const isWorthIt = phase !== running.phase || !isConfirmed
  const shown = isWorthIt ? await showProgress(d1, claim, { ...next, now }) : 'not-shown'
  if (shown === 'moved-on') return shown
  const saved = shown === 'shown'
  const isNews = phase !== running.phase || shownAs(running, known) !== shownAs(next, insights)
  return {
    saved,
    running: {
      ...running,
      percent,
      insights,
      // A phase that could not be saved is left for the next report.
      phase: isWorthIt && !saved ? running.phase : phase,
      phases: withPhase(running.phases, phase),
      lastSequence: report.sequence,
      slotFree: report.slotFree ?? false,
      ...(report.left && { left: { ...report.left, at: now } }),
      ...(isNews && { shownAt: now }),
      ...(saved && {
        savedPercent: percent,
        saves: running.saves + 1,
      }),
    },
  }
}

/** Progress goes on from what earlier attempts have shown, rather than standing still until this attempt has come as far. */
function goingOn({ shownBefore = 0 }: Running, percent: number): number {
  return shownBefore + ((99 - shownBefore) * Math.min(99, percent)) / 99
}

/** Progress as readers see it, in whole percent; nothing is sent while this stays the same. */
function shownAs({ percent }: { percent: number }, insights: InsightNews): string {
  const shown = [insights.transcript, insights.analysis].map((insight) => [
    insight?.status,
    insight?.status === 'processing' && Math.floor(insight.progress),
  ])
  return [Math.floor(percent), ...shown].join()
}

type Shown = 'shown' | 'not-shown' | 'moved-on'

/** Readers may miss one step, but the attempt must not be lost because D1 did not answer. */
async function showProgress(d1: D1Database, claim: Claim, next: ShownProgress): Promise<Shown> {
  try {
    return (await saveProgress(d1, claim, next)) ? 'shown' : 'moved-on'
  } catch (error) {
    log('warn', 'progress was not saved', { jobId: claim.jobId, ...describeError(error) })
    return 'not-shown'
  }
}
