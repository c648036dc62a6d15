import type { FailureReason } from '../../contract/job/report.ts'
import { Notice } from '../design/notice.tsx'
import type { VideoView } from './video-view.ts'

/** What went wrong or differs from what was asked, and what to do about it. */
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

/** What to do about each reason for which a video fails; `docs/errors.md` says more. */
const advice: Readonly<Record<FailureReason, string>> = {
  source_unreachable:
    'Open the address in a private window: it has to work without signing in, until the video is done.',
  source_too_slow: 'Put the source on a server that sends faster, or send a shorter video.',
  source_not_allowed: 'Put the file where the public internet can read it, or upload it here.',
  source_too_large: 'Shorten, shrink or split the source.',
  source_not_media: 'Give the address of the file itself, not of a page about it.',
  source_undecodable: 'Check that the source plays to its end, or convert it to H.264 in MP4.',
  element_unusable: 'Check the address of that element, and that its type fits the file.',
  nothing_left: 'Cut less of it.',
  output_too_large: 'Ask for a lower quality, or cut it into several videos.',
  out_of_time: 'Try again later, or with a shorter video.',
  out_of_resources: 'Try again, or with a smaller picture.',
  storage_failed: 'Do it again.',
  worker_lost: 'Do it again. If it happens again with this source, tell the operator.',
  internal: 'Do it again. If it happens again, tell the operator the id of the job.',
}
