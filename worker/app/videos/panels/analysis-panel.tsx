import { Notice } from '../../design/notice.tsx'
import { ProgressBar } from '../../design/status-badge.tsx'
import type { VideoView } from '../read-video-view.ts'

/** What the video is about; nothing if the request did not ask for it. */
export function AnalysisPanel({ view: { record } }: { view: VideoView }) {
  const analysis = record.analysis
  switch (analysis?.status) {
    case undefined:
    case 'not_requested':
      return null
    case 'pending':
    case 'processing':
      return (
        <>
          <p class="soft">The summary appears here once the video has been analysed.</p>
          <ProgressBar percent={analysis.progress ?? 0} label="Analysing" />
        </>
      )
    case 'failed':
      return (
        <Notice tone="bad">
          <p>{analysis.error}</p>
          <p>The video itself is not affected.</p>
        </Notice>
      )
    case 'completed':
      return <Found data={analysis.data} />
  }
}

function Found({ data }: { data: NonNullable<VideoView['record']['analysis']>['data'] }) {
  const { summary = '', tags = [], estimatedLocation = 'unknown' } = data ?? {}
  if (summary.trim() === '' && tags.length === 0 && estimatedLocation === 'unknown') {
    return <p class="soft">Nothing was recognised in this video.</p>
  }
  return (
    <div class="found">
      {summary.trim() !== '' && <p dir="auto">{summary}</p>}
      {tags.length > 0 && (
        <ul class="tags" aria-label="Tags">
          {tags.map((tag) => (
            <li dir="auto">{tag}</li>
          ))}
        </ul>
      )}
      {estimatedLocation !== 'unknown' && (
        <p>
          <span class="soft">Where: </span>
          <span dir="auto">{estimatedLocation}</span>
        </p>
      )}
    </div>
  )
}
