import { Notice } from '../design/notice.tsx'
import { advice } from './advice.ts'
import type { VideoView } from './video-view.ts'

/** What went wrong, or otherwise than asked, and what to do. */
export function Troubles({ view: { record, job } }: { view: VideoView }) {
  const { status, errorMessage, reason, warnings = [], videoId } = record
  return (
    <>
      {status === 'failed' && (
        <Notice tone="bad">
          <p dir="auto">{errorMessage ?? 'It could not be processed.'}</p>
          <p>
            {reason && `${advice[reason]} `}
            <a href={`/app/videos/new?from=${videoId}`}>Do it again</a>
            {reason === 'internal' && ` (job ${job.jobId})`}
          </p>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice tone="busy">
          {warnings.map((warning) => (
            <p dir="auto">{warning}</p>
          ))}
        </Notice>
      )}
    </>
  )
}
