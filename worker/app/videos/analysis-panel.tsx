import { Notice } from '../design/notice.tsx'
import { ProgressBar } from '../design/progress-bar.tsx'
import type { VideoView } from './video-view.ts'

/** What the video is about. */
export function AnalysisPanel({ view: { record } }: { view: VideoView }) {
  const analysis = record.analysis
  switch (analysis?.status) {
    case undefined:
    case 'not_requested':
      return (
        <p class="soft">
          No summary was asked for. With <code>enableAiAnalysis</code> you get a summary, tags and a
          likely place. <a href={`/app/videos/new?from=${record.videoId}`}>Do it again with one</a>
        </p>
      )
    case 'pending':
    case 'processing':
      return (
        <>
          <p class="soft">The summary appears here when the video has been looked through.</p>
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
  if (!data) return <p class="soft">Nothing was found in this video.</p>
  const { summary, tags, estimatedLocation } = data
  return (
    <div class="found">
      <p dir="auto">{summary}</p>
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
