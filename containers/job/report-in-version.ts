import { formerVersion, type MediaJob } from '../../worker/contract/media-job.ts'
import type { Report } from '../../worker/contract/report.ts'

type Version = MediaJob['version']

/** A Worker of the former version gets only words that it knows: it listened beside the rendering, never before it. */
export function reportInVersion(version: Version, report: Report): Report {
  if (version !== formerVersion || report.type !== 'progress') return report
  return { ...report, phase: report.phase === 'transcribing' ? 'measuring' : report.phase }
}
