import { whoOf } from '../../contract/video/transcript.ts'
import type { KeptAnalysis, KeptTranscript, VideoRow } from '../../store/tables/tables.ts'
import type { StandingVideo } from '../../store/videos/standing.ts'
import type { Ending } from '../jobs/conclude.ts'

type SucceededEnding = Extract<Ending, { to: 'succeeded' }>

/** Ends a video with the result of another one. Its deliveries are its own. */
export function reusedEnding(same: StandingVideo, made: SucceededEnding['made']): SucceededEnding {
  const { id, transcript, transcriptStatus, analysis, analysisStatus } = same
  return {
    to: 'succeeded',
    report: {
      transcript: toldTranscript(transcriptStatus, transcript),
      ...toldAnalysis(analysisStatus, analysis),
    },
    result: { ...same.result, reusedFrom: id },
    made,
    reused: { from: id, filesOf: same.filesOf ?? id },
  }
}

function toldTranscript(status: VideoRow['transcriptStatus'], kept: KeptTranscript | null) {
  const { text, language, confidence } = kept ?? {}
  if (status !== 'completed' || text === undefined || language === undefined) {
    return { status: 'not_requested' as const }
  }
  return {
    ...{ status, text, language },
    ...(confidence !== undefined && { confidence }),
    ...whoOf(kept ?? {}),
  }
}

function toldAnalysis(status: VideoRow['analysisStatus'], kept: KeptAnalysis | null) {
  return status === 'completed' && kept?.data ? { analysis: { status, data: kept.data } } : {}
}
