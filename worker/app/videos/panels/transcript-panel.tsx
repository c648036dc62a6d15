import type { TranscriptSegment } from '../../../contract/video/transcript.ts'
import { formatTimecode } from '../../design/format-seconds.ts'
import { Notice } from '../../design/notice.tsx'
import { ProgressBar } from '../../design/progress-bar.tsx'
import type { VideoView } from '../video-view.ts'

/** What is said, sentence by sentence. A click on a word or a time goes there in the player. */
export function TranscriptPanel({ view }: { view: VideoView }) {
  const { record, transcript } = view
  const state = record.transcript
  switch (state?.status) {
    case undefined:
      return record.status === 'failed' || record.status === 'canceled' ? (
        <p class="soft">No video was made, so there are no words.</p>
      ) : (
        <p class="soft">
          This video has no transcript. <a href={again(record.videoId)}>Do it again</a> with “Write
          down what is said” to read its words here, and to get caption files.
        </p>
      )
    case 'pending':
    case 'processing':
      return (
        <>
          <p class="soft">The words appear here when they have been heard.</p>
          <ProgressBar percent={state.progress ?? 0} label="Transcribing" />
        </>
      )
    case 'failed':
      return (
        <Notice tone="bad">
          <p>{state.error}</p>
          <p>
            {record.analyzeOnly
              ? 'The suggestions were made without it.'
              : 'The video itself is not affected.'}
          </p>
        </Notice>
      )
    case 'completed':
      return transcript ? (
        <Words segments={transcript.segments} href={record.finalVideoUrl} />
      ) : (
        <p dir="auto">{state.text === '' ? 'Nobody speaks in this video.' : state.text}</p>
      )
  }
}

const again = (videoId: string) => `/app/videos/new?from=${videoId}`

function Words({
  segments,
  href,
}: {
  segments: readonly TranscriptSegment[]
  href: string | undefined
}) {
  if (segments.length === 0) return <p class="soft">Nobody speaks in this video.</p>
  return (
    <ol class="said" data-said>
      {segments.map((segment, i) => (
        <li>
          <Time at={segment.startTime} href={href} />
          <p dir="auto">
            {segment.speaker !== undefined && segment.speaker !== segments[i - 1]?.speaker && (
              <strong>{segment.speaker}: </strong>
            )}
            {segment.words?.map(({ startTime, text }) => (
              <>
                <span data-at={startTime}>{text}</span>{' '}
              </>
            )) ?? <span data-at={segment.startTime}>{segment.text}</span>}
          </p>
        </li>
      ))}
    </ol>
  )
}

/** Without scripts, the link opens the file at that moment. */
function Time({ at, href }: { at: number; href: string | undefined }) {
  const text = formatTimecode(at)
  if (href === undefined) return <span class="soft">{text}</span>
  return (
    <a href={`${href}#t=${at}`} data-seek={at} aria-label={`Play from ${text}`}>
      {text}
    </a>
  )
}
