import { isHls } from '../../contract/options/outputs/output-hls.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { isTerminal } from '../../contract/video/video-state.ts'
import { Button, ButtonLink } from '../design/button.tsx'
import { toSave } from '../send-page.ts'
import { shownResult } from './shown-result.ts'
import { formatName } from '../../contract/video/format-name.ts'

/** What can be done with a video. */
export function VideoMenu({ record }: { record: VideoRecord }) {
  const { videoId, status } = record
  const isEnded = isTerminal(status)
  return (
    <div class="row" data-region="menu">
      {status === 'succeeded' && <Downloads record={record} />}
      {record.finalVideoUrl !== undefined && (
        <Button copy={record.finalVideoUrl} label="Copy link to the video, for seven days">
          Copy link
        </Button>
      )}
      {shownResult(record) && (
        <ButtonLink href={`/app/videos/${videoId}/compare`}>Compare</ButtonLink>
      )}
      <ButtonLink href={`/app/videos/new?from=${videoId}`}>Do it again</ButtonLink>
      <form method="post" action="/app/videos" id="list" class="row">
        <input type="hidden" name="videoId" value={videoId} />
        <input type="hidden" name="back" value={`/app/videos/${videoId}`} />
        {!isEnded && (
          <Button look="danger" name="action" value="cancel" dialog="ask-cancel">
            Cancel
          </Button>
        )}
        <Button look="danger" name="action" value="delete" dialog="ask-delete">
          Delete
        </Button>
      </form>
    </div>
  )
}

type MenuFile = { label: string; href: string; download?: string }

function filesOf(record: VideoRecord): MenuFile[] {
  const { videoId, finalVideoUrl, thumbnailUrl, transcript, outputs = [] } = record
  const asked = (label: string, url: string | undefined): MenuFile[] =>
    url === undefined ? [] : [{ label, href: toSave(url) }]
  return [
    ...asked('Video', outputs.length > 0 ? undefined : finalVideoUrl),
    // A stream has many files, and the first one alone plays nothing.
    ...outputs.flatMap(({ name, format = '', outputFormat, url }) =>
      isHls(outputFormat) ? [] : asked(`${name}, ${formatName(format)}`, url),
    ),
    ...asked('Captions, SRT', transcript?.srtUrl),
    ...asked('Captions, WebVTT', transcript?.vttUrl),
    ...asked('Transcript, text', transcript?.transcriptUrl),
    ...(transcript?.srtUrl === undefined
      ? []
      : [
          {
            label: 'Transcript, JSON',
            href: `/app/api/videos/${videoId}/transcript?format=json`,
            download: `${videoId}.json`,
          },
        ]),
    ...asked('Thumbnail', thumbnailUrl),
  ]
}

function Downloads({ record }: { record: VideoRecord }) {
  const files = filesOf(record)
  if (files.length === 0) return null
  return (
    <details class="menu">
      <summary class="button primary">Download</summary>
      <ul>
        {files.map(({ label, href, download }) => (
          <li>
            <a href={href} download={download ?? true}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
