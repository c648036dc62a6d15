import { transcriptKinds, type OutputKind } from '../../contract/job/media-job.ts'
import { planWithCuts, type Report } from '../../contract/job/report.ts'
import { defined } from '../../contract/defined.ts'
import type { VideoResult } from '../../store/tables/tables.ts'

export type Succeeded = Extract<Report, { type: 'succeeded' }>

const isOfTranscript = (kind: OutputKind): boolean => transcriptKinds.some((own) => own === kind)

/** The result of a successful report, corrected for the files that could not be stored. */
export function describeSuccess(
  report: Succeeded,
  { outputs }: { outputs: VideoResult['outputs'] },
): { report: Succeeded; result: VideoResult } {
  const unstored = report.outputs.filter(({ kind }) => !outputs[kind] && !isOfTranscript(kind))
  const warnings = [
    ...report.warnings,
    ...unstored.map(({ kind }) => `The ${kind} could not be stored.`),
  ]
  const { transcript, trace, videoMetadata, suggestions, moments, named, checks } = report
  const { covered, reframed } = report
  const removed = planWithCuts.safeParse(trace.plan).data?.cuts
  const isMissing =
    transcript?.status === 'completed' && transcriptKinds.some((kind) => !outputs[kind])
  const told = isMissing
    ? { status: 'failed' as const, message: 'The transcript could not be stored.' }
    : transcript
  return {
    report: told ? { ...report, transcript: told } : report,
    result: {
      outputs: told?.status === 'completed' ? outputs : withoutTranscript(outputs),
      ...defined({
        named,
        videoMetadata,
        checks,
        suggestions,
        moments,
        covered,
        reframed,
        removed,
      }),
      warnings,
    },
  }
}

/** A transcript that is only partly stored gets no links; its files are deleted with the video. */
function withoutTranscript(outputs: VideoResult['outputs']): VideoResult['outputs'] {
  const others = Object.entries(outputs).filter(([kind]) => !kind.startsWith('transcript-'))
  return Object.fromEntries(others)
}
