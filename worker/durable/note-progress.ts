import type { Report } from '../contract/report.ts'
import { describeError, log } from '../service/log.ts'
import { saveProgress, type Claim } from '../store/transitions.ts'
import { laterPhase, withPhase, worthOfSaving, type Progress, type Running } from './run-state.ts'

export type HeardProgress = {
  report: Extract<Report, { type: 'progress' }>
  /** Whether a client follows the video live. */
  isFollowed: boolean
}

/**
 * The attempt after a progress report, or `moved-on` if its claim no longer holds. D1 is told only what readers would
 * miss.
 */
export async function noteProgress(
  d1: D1Database,
  claim: Claim,
  running: Running,
  { report, isFollowed }: HeardProgress,
): Promise<Running | 'moved-on'> {
  const percent = Math.max(running.percent, Math.min(99, report.progressPercent))
  const { transcript, analysis } = report
  const insights = {
    ...running.insights,
    ...(transcript && { transcript }),
    ...(analysis && { analysis }),
  }
  const phase = laterPhase(running.phase, report.phase ?? running.phase)
  const next = { phase, percent, insights }
  const worth = worthOfSaving(running, next, isFollowed)
  const saving = worth !== 'not-worth-it'
  const shown = saving ? await showProgress(d1, claim, next) : 'not-shown'
  if (shown === 'moved-on') return shown
  const saved = shown === 'shown'
  return {
    ...running,
    percent,
    // A phase that could not be saved is left for the next report.
    phase: saving && !saved ? running.phase : next.phase,
    phases: withPhase(running.phases, next.phase),
    lastSequence: report.sequence,
    slotFree: report.slotFree ?? false,
    ...(saved && {
      savedPercent: percent,
      insights,
      saves: (running.saves ?? 0) + 1,
      liveSaves: (running.liveSaves ?? 0) + (worth === 'for-followers' ? 1 : 0),
    }),
  }
}

type Shown = 'shown' | 'not-shown' | 'moved-on'

/** Readers may miss one step, but the attempt must not be lost because D1 did not answer. */
async function showProgress(d1: D1Database, claim: Claim, next: Progress): Promise<Shown> {
  try {
    return (await saveProgress(d1, claim, { ...next, now: Date.now() })) ? 'shown' : 'moved-on'
  } catch (error) {
    log('warn', 'progress was not saved', { jobId: claim.jobId, ...describeError(error) })
    return 'not-shown'
  }
}
