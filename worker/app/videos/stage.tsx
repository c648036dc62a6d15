import { isHls } from '../../contract/options/outputs/output-hls.ts'
import { isFilm } from '../../contract/options/outputs/outputs.ts'
import { sayLeft } from '../../contract/video/say-left.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'
import { StatusBadge, ProgressBar } from '../design/status-badge.tsx'
import { toSave } from '../send-page.ts'
import { phaseWords } from './phase-words.ts'
import type { VideoView } from './read-video-view.ts'

/** The player, or the progress of the video until there is a film to play. */
export function Stage({ view }: { view: VideoView }) {
  const { record } = view
  const { finalVideoUrl } = record
  if (finalVideoUrl === undefined) return <Placeholder view={view} />
  // No browser can play AVI.
  if (formatOf(record) === 'avi') return <NotPlayable record={record} href={finalVideoUrl} />
  return (
    <>
      <Player record={record} href={finalVideoUrl} />
      <Scrubber record={record} />
    </>
  )
}

function Player({ record, href }: { record: VideoRecord; href: string }) {
  const { thumbnailUrl, videoMetadata, transcript } = record
  const from = beginOf(record)
  return (
    <div class={stageOf(record)}>
      <video
        controls
        playsinline
        preload="metadata"
        crossorigin="anonymous"
        src={href}
        poster={thumbnailUrl}
        width={videoMetadata?.width}
        height={videoMetadata?.height}
        aria-label={record.videoName}
        data-player
        data-from={from}
      >
        {transcript?.vttUrl !== undefined && from === undefined && (
          <track
            kind="captions"
            default
            src={transcript.vttUrl}
            srclang={transcript.language}
            label={languageName(transcript.language)}
          />
        )}
      </video>
    </div>
  )
}

/** The format of the film; that of the first one if the request names several results. */
function formatOf({ outputs = [], outputFormat }: VideoRecord): string | undefined {
  return firstFilm(outputs)?.format ?? outputFormat
}

/** The second of the transcript at which the film in the player begins, if it is an excerpt; captions count from there. */
function beginOf({ outputs = [] }: VideoRecord): number | undefined {
  const { clip, startTime } = firstFilm(outputs) ?? {}
  return clip?.startTime ?? startTime
}

function firstFilm(outputs: NonNullable<VideoRecord['outputs']>) {
  return outputs.find(({ outputFormat }) => isFilm(outputFormat))
}

/** A tall picture gets a taller stage as soon as it is requested, so that nothing moves when the film arrives. */
function stageOf({ videoMetadata, aspectRatio }: VideoRecord): string {
  const isTall = videoMetadata
    ? videoMetadata.height > videoMetadata.width
    : aspectRatio === '9:16' || aspectRatio === '4:5'
  return isTall ? 'stage tall' : 'stage'
}

function languageName(code: string | undefined): string {
  const name = code === undefined || code === 'und' ? undefined : names.of(code)
  return name ?? 'Captions'
}
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

function NotPlayable({ record, href }: { record: VideoRecord; href: string }) {
  return (
    <div class={`${stageOf(record)} waiting`}>
      <p>Browsers cannot play AVI.</p>
      <p>
        <a href={toSave(href)}>Download it</a>
      </p>
    </div>
  )
}

/** The still of a video whose films are all streams, which most browsers play only with a script. */
function Still({ record, src }: { record: VideoRecord; src: string }) {
  return (
    <div class={stageOf(record)}>
      <img src={src} alt={`A still of ${record.videoName}`} />
    </div>
  )
}

const listened = 'Spool listened to it, and made no video.'
const gone = 'Its files are no longer kept.'
const streamed = 'It is a stream: its address is below.'
const others = 'Spool made no video, only what is below.'

/** Whether the only films are streams. */
function isStreamed({ outputs = [] }: VideoRecord): boolean {
  return outputs.some(({ outputFormat, url }) => isHls(outputFormat) && url !== undefined)
}

function whyNoVideo(record: VideoRecord): string {
  const { suggestions, outputs = [] } = record
  if (suggestions) return listened
  if (isStreamed(record)) return streamed
  return outputs.some(({ url }) => url !== undefined) ? others : gone
}

function whenItBegins(position: number | undefined): string {
  const begins = 'It begins as soon as a media worker is free.'
  if (position === undefined) return begins
  return position === 1 ? `Next in line. ${begins}` : `Number ${position} in line. ${begins}`
}

function Placeholder({ view: { record, stillUrl } }: { view: VideoView }) {
  const { status, phase, progressPercent } = record
  switch (status) {
    case 'queued':
      return (
        <div class={`${stageOf(record)} waiting`}>
          <StatusBadge status={status} />
          <p>{whenItBegins(record.queuePosition)}</p>
          <p class="soft" data-left>
            {sayLeft(record)}
          </p>
        </div>
      )
    case 'running':
      return (
        <div class={`${stageOf(record)} waiting`}>
          <StatusBadge status={status} />
          <p>
            <span data-phase>{phase === undefined ? 'Working' : phaseWords[phase]}</span>
            {' · '}
            <span data-percent>{progressPercent} %</span>
          </p>
          <ProgressBar percent={progressPercent} label="Progress" />
          <p class="soft" data-left>
            {sayLeft(record)}
          </p>
        </div>
      )
    case 'failed':
    case 'canceled':
      return (
        <div class="stage waiting over">
          <p>
            {status === 'failed' ? 'No video was made.' : 'It was canceled: no video was made.'}
          </p>
        </div>
      )
    case 'succeeded':
      if (stillUrl !== undefined && isStreamed(record))
        return <Still record={record} src={stillUrl} />
      return (
        <div class="stage waiting over">
          <StatusBadge status={status} />
          <p>{whyNoVideo(record)}</p>
        </div>
      )
  }
}

/**
 * A scrubber that shows the small pictures of a sprite, if the request made one of the whole film. Browsers let no page add to
 * their own scrubber. Without its script it stays hidden.
 */
function Scrubber({ record }: { record: VideoRecord }) {
  const { outputs = [], videoMetadata } = record
  const sprite = outputs.find(
    ({ outputFormat, startTime, duration, url }) =>
      outputFormat === 'sprite' && (startTime ?? duration) === undefined && url !== undefined,
  )
  if (!sprite || !videoMetadata) return null
  // The film in the player may begin later than the edit that the sprite covers.
  return (
    <div class="scrubber" data-sprite={sprite.url} data-from={beginOf(record) ?? 0} hidden>
      <input
        type="range"
        min="0"
        max={videoMetadata.duration}
        step="any"
        value="0"
        aria-label="Moment of the video"
      />
      <span class="glimpse" aria-hidden="true" hidden>
        <i></i>
        <b></b>
      </span>
    </div>
  )
}
