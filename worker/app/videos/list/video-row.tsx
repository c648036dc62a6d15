import { formatTimecode, formatBytes, formatCount } from '../../design/formats.ts'
import { RelativeTime } from '../../design/values.tsx'
import { StatusBadge, ProgressBar } from '../../design/status-badge.tsx'
import type { ListedVideo } from './listed-video.ts'
import { phaseWords } from '../phase-words.ts'
import { sayFailure } from '../say-failure.ts'

/** One video in the list. Its name is a link to it, and a click anywhere on the row opens it too. */
export function ListedVideoRow({ video, now }: { video: ListedVideo; now: number }) {
  return (
    <li class="video" data-key={video.videoId} data-row data-status={video.status}>
      <label class="pick">
        <input type="checkbox" name="videoId" value={video.videoId} />
        <span class="aside">Select {video.name}</span>
      </label>
      <Still video={video} />
      <div class="what">
        <a class="name" href={`/app/videos/${video.videoId}`} dir="auto">
          {video.name}
        </a>
        {video.edits.length > 0 && (
          <ul class="edits" aria-label="What was done">
            {video.edits.map((edit) => (
              <li>{edit.replaceAll(' ', '\u00a0')}</li>
            ))}
          </ul>
        )}
        {video.status === 'failed' && <Failure video={video} />}
      </div>
      <div class="state">
        <State video={video} />
      </div>
      <div class="made">{madeOf(video)}</div>
      <div class="when">
        <RelativeTime at={video.createdAt} now={now} />
      </div>
    </li>
  )
}

function Still({ video: { thumbnailUrl, seconds, isAnalysis } }: { video: ListedVideo }) {
  if (isAnalysis) {
    return (
      <div class="still heard" aria-hidden="true">
        “…”
      </div>
    )
  }
  return (
    <div class="still">
      {thumbnailUrl !== undefined && (
        <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" width={96} height={54} />
      )}
      {seconds !== undefined && <span class="length">{formatTimecode(seconds)}</span>}
    </div>
  )
}

function Failure({ video }: { video: ListedVideo }) {
  return (
    <p class="why">
      <span dir="auto">{sayFailure(video)}</span>{' '}
      <a href={`/app/videos/new?from=${video.videoId}`}>Do it again</a>
    </p>
  )
}

function State({ video: { status, phase, percent, left, warnings } }: { video: ListedVideo }) {
  if (status !== 'running') {
    return (
      <>
        <StatusBadge status={status} />
        {warnings > 0 && <span class="soft"> · {formatCount(warnings, 'warning')}</span>}
      </>
    )
  }
  const doing = phase === undefined ? 'Working' : phaseWords[phase]
  return (
    <>
      <StatusBadge status={status} />
      <span class="soft">
        {' '}
        · {doing} {percent} %
      </span>
      <ProgressBar percent={percent} label={doing} />
      {left !== undefined && <span class="soft">{left}</span>}
    </>
  )
}

/** "406×720 · 21 MB" */
function madeOf({ picture, bytes }: ListedVideo): string {
  const facts = [
    picture && `${picture.width}×${picture.height}`,
    bytes !== undefined && formatBytes(bytes),
  ]
  const known = facts.filter((fact) => fact !== undefined && fact !== false)
  // A line may break between two facts, but not between a number and its unit.
  return known.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ')
}
