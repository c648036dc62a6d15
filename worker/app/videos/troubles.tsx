import { CheckStill } from '../design/check-still.tsx'
import { Notice } from '../design/notice.tsx'
import { adviseOn, sayFailure } from './say-failure.ts'
import type { VideoView } from './video-view.ts'

/** What went wrong or differs from what was asked, and what to do about it. */
export function Troubles({ view: { record, job } }: { view: VideoView }) {
  const { status, reason, warnings = [], checks = [], videoId } = record
  const doubts = checks.filter(({ result }) => result !== 'passed')
  const advice = adviseOn(record)
  return (
    <>
      {status === 'failed' && (
        <Notice tone="bad">
          <p dir="auto">{sayFailure(record)}</p>
          <p>
            {advice !== undefined && `${advice} `}
            <a href={`/app/videos/new?from=${videoId}`}>Do it again</a>
            {reason === 'internal' && ` (job ${job.jobId})`}
          </p>
        </Notice>
      )}
      {warnings.length + doubts.length > 0 && (
        <Notice tone="busy">
          {doubts.map(({ name, message, stillUrl }) => (
            <p>
              Check of {name}: {message} <CheckStill name={name} url={stillUrl} />
            </p>
          ))}
          {warnings.map((warning) => (
            <p dir="auto">{warning}</p>
          ))}
        </Notice>
      )}
    </>
  )
}
