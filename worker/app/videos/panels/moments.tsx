import { isFilm, suggestedName } from '../../../contract/options/outputs/outputs.ts'
import type { Chapter, SuggestedClip } from '../../../contract/job/report.ts'
import type { ShownOutput, VideoRecord } from '../../../contract/video/video-record.ts'
import type { VideoView } from '../read-video-view.ts'
import { ButtonLink } from '../../design/button.tsx'
import { formatSeconds, formatTimecode } from '../../design/formats.ts'
import { toSave } from '../../send-page.ts'

/** The moments found in the transcript: clips side by side, and chapters to jump to. */
export function Moments({ record, sourceUrl }: Pick<VideoView, 'record' | 'sourceUrl'>) {
  const { clips = [], chapters = [] } = record.moments ?? {}
  const film = wholeFilm(record)
  const whole = film ?? (record.analyzeOnly ? sourceUrl : undefined)
  return (
    <>
      {clips.length > 0 && <Clips record={record} clips={clips} whole={whole} />}
      {record.moments?.clips?.length === 0 && <NoClips record={record} />}
      {chapters.length > 0 && (
        <Chapters chapters={chapters} href={whole} isPlayed={film !== undefined} />
      )}
    </>
  )
}

function NoClips({ record: { videoId } }: { record: VideoRecord }) {
  return (
    <section class="moments" aria-labelledby="clips-title">
      <h2 id="clips-title">Suggested clips</h2>
      <p class="soft">
        No part of what is said stands by itself in the length that was asked for.{' '}
        <a href={`/app/videos/new?from=${videoId}`}>Do it again</a> with other lengths, or with
        another subject; what was heard is kept for a day.
      </p>
    </section>
  )
}

type ClipsFacts = Pick<ClipFacts, 'record' | 'whole'> & { clips: readonly SuggestedClip[] }

function Clips({ record, clips, whole }: ClipsFacts) {
  return (
    <section class="moments" aria-labelledby="clips-title">
      <h2 id="clips-title">Suggested clips</h2>
      {whole === undefined && record.clips === undefined && (
        <p class="soft">Spool keeps no copy of this source, so the clips cannot be played here.</p>
      )}
      <ol class="clips">
        {clips.map((clip, i) => (
          <Clip record={record} clip={clip} place={i + 1} whole={whole} />
        ))}
      </ol>
    </section>
  )
}

type ClipFacts = {
  record: VideoRecord
  clip: SuggestedClip
  place: number
  whole: string | undefined
}

function Clip({ record, clip, place, whole }: ClipFacts) {
  const { startTime, endTime, title, score, reasons } = clip
  const made = madeOf(record, place)
  const range = `${startTime},${endTime}`
  return (
    <li>
      {made?.url !== undefined && <video {...player} src={made.url} aria-label={title} />}
      {made === undefined && whole !== undefined && (
        <video {...player} src={`${whole}#t=${range}`} aria-label={title} data-clip={range} />
      )}
      <h3 dir="auto">{title}</h3>
      <p class="soft">
        {formatTimecode(startTime)} to {formatTimecode(endTime)},{' '}
        {formatSeconds(endTime - startTime)} · score {Math.round(score * 100)} of 100
      </p>
      <ul>
        {reasons.map((reason) => (
          <li dir="auto">{reason}</li>
        ))}
      </ul>
      <p class="do">
        {made?.url !== undefined && (
          <ButtonLink href={toSave(made.url)} size="small" download>
            Download
          </ButtonLink>
        )}
        <ButtonLink href={`/app/videos/new?from=${record.videoId}&clip=${place}`} size="small">
          {made === undefined ? 'Make it' : 'Change it'}
        </ButtonLink>
      </p>
    </li>
  )
}

const player = { controls: true, playsinline: true, preload: 'metadata' } as const

/** The result that was made of a suggested clip. */
function madeOf({ outputs = [], clips }: VideoRecord, place: number): ShownOutput | undefined {
  return clips && outputs.find(({ name }) => name === suggestedName(place - 1))
}

/** The finished video if it begins with the whole film, in which the times of clips and chapters count. */
function wholeFilm({ finalVideoUrl, outputs, clips }: VideoRecord): string | undefined {
  const first = outputs?.find(({ outputFormat }) => isFilm(outputFormat))
  const isPart = first ? (first.clip ?? first.startTime) !== undefined : clips !== undefined
  return isPart ? undefined : finalVideoUrl
}

type ChaptersFacts = {
  chapters: readonly Chapter[]
  href: string | undefined
  /** Whether the player of the page shows this film. */
  isPlayed: boolean
}

function Chapters({ chapters, href, isPlayed }: ChaptersFacts) {
  return (
    <section class="moments" aria-labelledby="chapters-title">
      <h2 id="chapters-title">Chapters</h2>
      <ol class="chapters" data-chapters>
        {chapters.map(({ startTime, title }) => (
          <li>
            {href === undefined ? (
              <span class="soft">{formatTimecode(startTime)}</span>
            ) : (
              <a href={`${href}#t=${startTime}`} data-seek={isPlayed ? startTime : undefined}>
                {formatTimecode(startTime)}
              </a>
            )}{' '}
            <span dir="auto">{title}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
