import { isFilm } from '../../contract/options/outputs/outputs.ts'
import type { VideoRecord } from '../../contract/video/video-record.ts'

/**
 * A line of the film that shows the small pictures of a sprite, if the request made one of the whole film. Browsers let no
 * page add to their own line. Without its script it stays hidden.
 */
export function Scrubber({ record: { outputs = [], videoMetadata } }: { record: VideoRecord }) {
  const sprite = outputs.find(
    ({ outputFormat, startTime, duration, url }) =>
      outputFormat === 'sprite' && (startTime ?? duration) === undefined && url !== undefined,
  )
  if (!sprite || !videoMetadata) return null
  // The film in the player may begin later than the edit that the sprite shows.
  const film = outputs.find(({ outputFormat }) => isFilm(outputFormat))
  return (
    <div class="scrubber" data-sprite={sprite.url} data-from={film?.startTime ?? 0} hidden>
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
