import type { VideoRecord } from '../../contract/video/video-record.ts'
import { formatSeconds, formatTimecode } from '../design/format-seconds.ts'

type Suggestion = NonNullable<VideoRecord['suggestions']>[number]

const reasons: Record<Suggestion['why'], string> = {
  silence: 'nobody speaks',
  filler: 'filler',
  repeated_start: 'said again',
}

/** What could be cut out of a video that was only listened to. */
export function Suggestions({
  suggestions,
  videoId,
}: {
  suggestions: readonly Suggestion[]
  videoId: string
}) {
  if (suggestions.length === 0) return <p class="soft">Nothing to cut was found.</p>
  const seconds = suggestions.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0)
  return (
    <section class="timeline" aria-label="Suggestions">
      <p>
        {formatSeconds(seconds)} could be cut.{' '}
        <a href={`/app/videos/new?from=${videoId}`}>Choose what to cut</a>
      </p>
      <ol class="cuts">
        {suggestions.map(({ startTime, endTime, why, text }) => (
          <li>
            {formatTimecode(startTime)}, {formatSeconds(endTime - startTime)}, {reasons[why]}
            {text !== undefined && (
              <>
                : <span dir="auto">{text}</span>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
