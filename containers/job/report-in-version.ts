import { formerVersion, type MediaJob } from '../../worker/contract/media-job.ts'
import type { AttemptTrace, Report } from '../../worker/contract/report.ts'

type Version = MediaJob['version']

/** A Worker of the former version refuses a report with a field that it does not know, and the job would be lost. */
export function reportInVersion(version: Version, report: Report): Report {
  if (version !== formerVersion) return report
  switch (report.type) {
    case 'progress': {
      const phase = report.phase === 'transcribing' ? 'measuring' : report.phase
      return { ...report, phase, slotFree: undefined }
    }
    case 'failed': {
      const reason = report.reason === 'source_too_slow' ? 'source_unreachable' : report.reason
      return { ...report, reason, trace: traceInVersion(version, report.trace) }
    }
    case 'succeeded':
    case 'released':
      return { ...report, trace: traceInVersion(version, report.trace) }
  }
}

export function traceInVersion(version: Version, trace: AttemptTrace): AttemptTrace {
  if (version !== formerVersion) return trace
  return { ...trace, phases: trace.phases.filter(({ name }) => name !== 'waiting') }
}
