import type { TranscriptSegment } from '../../../contract/video/transcript.ts'
import { formatTimecode } from '../../design/formats.ts'
import { Notice } from '../../design/notice.tsx'
import { ProgressBar } from '../../design/status-badge.tsx'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import type { VideoView } from '../read-video-view.ts'
import { sentencesOfList } from './sentences-of-list.ts'
import { fieldOf, SpeakerNames, voicesOf, type RefusedSpeakers } from './speaker-names.tsx'

type PanelFacts = { view: VideoView; refused: RefusedSpeakers | undefined }

/** The transcript, sentence by sentence. A click on a word or a time makes the player jump there. */
export function TranscriptPanel({ view, refused }: PanelFacts) {
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
        <>
          <div data-region="speakers">
            <SpeakerNames record={record} refused={refused} />
          </div>
          {transcript.segments.length > 0 && <Search />}
          <Words segments={transcript.segments} record={record} />
        </>
      ) : (
        <p dir="auto">{state.text === '' ? 'Nobody speaks in this video.' : state.text}</p>
      )
  }
}

const again = (videoId: string) => `/app/videos/new?from=${videoId}`

/** How many words the page contains: hours of words are megabytes, so scripts fetch the rest. */
const mostWords = 1_500

function firstOf(segments: readonly TranscriptSegment[]): number {
  let words = 0
  const place = segments.findIndex((one) => (words += one.words?.length ?? 1) > mostWords)
  return place === -1 ? segments.length : Math.max(1, place)
}

type WordsFacts = { segments: readonly TranscriptSegment[]; record: VideoRecord }

function Words({ segments, record }: WordsFacts) {
  if (segments.length === 0) return <p class="soft">Nobody speaks in this video.</p>
  const shown = firstOf(segments)
  if (shown === segments.length) return <Sentences segments={segments} record={record} />
  const { transcriptUrl } = record.transcript ?? {}
  return (
    <>
      <Sentences segments={segments.slice(0, shown)} record={record} rest={shown} />
      <p class="row" role="status" data-unread hidden>
        The words after these could not be read.{' '}
        <button type="button" class="button small" data-read-on>
          Try again
        </button>
      </p>
      <noscript>
        <p class="soft">
          That is the beginning.{' '}
          {transcriptUrl !== undefined && <a href={transcriptUrl}>All of the text</a>}
        </p>
      </noscript>
    </>
  )
}

/** `rest`: the place of the first sentence that is left out. */
function Sentences({ segments, record, rest }: WordsFacts & { rest?: number }) {
  const more =
    rest === undefined ? undefined : `/app/api/videos/${record.videoId}/transcript?format=json`
  const lists = Array.from({ length: Math.ceil(segments.length / sentencesOfList) }, (_, i) => i)
  return (
    <div class="said" data-said data-rest={rest} data-more={more}>
      {lists.map((list) => (
        <ol>
          {segments
            .slice(list * sentencesOfList, (list + 1) * sentencesOfList)
            .map((segment, i) => (
              <Sentence
                segment={segment}
                before={segments[list * sentencesOfList + i - 1]?.speaker}
                record={record}
              />
            ))}
        </ol>
      ))}
    </div>
  )
}

type SentenceFacts = {
  segment: TranscriptSegment
  before: string | undefined
  record: VideoRecord
}

function Sentence({ segment, before, record }: SentenceFacts) {
  return (
    <li>
      <Time at={segment.startTime} href={record.finalVideoUrl} />
      <p dir="auto">
        {segment.speaker !== undefined && segment.speaker !== before && (
          <Who name={segment.speaker} record={record} />
        )}
        {segment.words?.map(({ startTime, text }) => (
          <>
            <span data-at={startTime}>{text}</span>{' '}
          </>
        )) ?? <span data-at={segment.startTime}>{segment.text}</span>}
      </p>
    </li>
  )
}

function Search() {
  return (
    <p class="row search-said needs-script">
      <input
        class="input"
        type="search"
        placeholder="Search what is said"
        aria-label="Search what is said"
        data-search-said
      />
      <button type="button" class="button small" data-found="-1" aria-label="The place before">
        ↑
      </button>
      <button type="button" class="button small" data-found="1" aria-label="The next place">
        ↓
      </button>
      <output role="status"></output>
    </p>
  )
}

/** The speaker. Without scripts, the link leads to the fields for names. */
function Who({ name, record }: { name: string; record: VideoRecord }) {
  const place = voicesOf(record.transcript?.speakers ?? []).findIndex((one) => one.name === name)
  return (
    <strong>
      <a
        href={`#${fieldOf(Math.max(0, place))}`}
        class="who"
        title="Change this name"
        data-who={name}
      >
        {name}
      </a>
      :{' '}
    </strong>
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
