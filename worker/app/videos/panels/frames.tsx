import type { CreateVideo } from '../../../contract/options/create-video.ts'
import { pixelsOf, type Size } from '../../../contract/layout/element-layout.ts'
import { isFilm } from '../../../contract/options/outputs/outputs.ts'
import { reframeModes } from '../../../contract/options/picture/reframe.ts'
import type { Reframed } from '../../../contract/job/report.ts'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { Button } from '../../design/button.tsx'
import { formatSeconds, formatTimecode } from '../../design/format-seconds.ts'
import type { ShownPlan } from '../read-plan.ts'

type FramesFacts = { record: VideoRecord; plan: ShownPlan | undefined }

type ShownScene = Reframed['scenes'][number]

/** Percent of the picture of the source. */
type Frame = { x: number; y: number; width: number; height: number }

/** What of the source the result shows, on the source itself. It can be moved, and the video be made again with that. */
export function Frames({ record, plan }: FramesFacts) {
  const { reframed, crop, videoId, status } = record
  if (status !== 'succeeded' || !(reframed ?? crop)) return null
  const source = sourceIn(record, plan)
  return (
    <section class="frames" aria-labelledby="frames-title">
      <h2 id="frames-title">What the result shows of the source</h2>
      <form action="/app/videos/new" data-frames>
        <input type="hidden" name="from" value={videoId} />
        {reframed ? (
          <Followed record={record} source={source} scenes={reframed.scenes} />
        ) : (
          crop && <Cropped record={record} source={source} crop={crop} />
        )}
        <p>
          <Button>Make it again with this</Button>
        </p>
      </form>
    </section>
  )
}

/** The only source, if it is drawn on the page as it was looked at: neither cropped nor turned before. */
function sourceIn({ rotate, flip }: VideoRecord, plan: ShownPlan | undefined): Size | undefined {
  const [source, ...others] = plan?.sources ?? []
  const isTurned = (rotate ?? 0) !== 0 || flip !== undefined
  return source && others.length === 0 && !isTurned ? source : undefined
}

type FollowedFacts = {
  record: VideoRecord
  source: Size | undefined
  scenes: readonly ShownScene[]
}

const modeWords: Record<ShownScene['mode'], string> = {
  crop: 'a part of it',
  halves: 'two people, one above the other',
  wide: 'all of it, with bars',
}

function Followed({ record, source, scenes }: FollowedFacts) {
  const size = record.crop ? undefined : source
  const shares = size && sharesOf(size, resultOf(record))
  const isUpright = shares !== undefined && shares.height < 100
  const [first] = scenes
  const begin = shares && {
    ...shares,
    x: within(first?.x ?? 50, shares.width) - shares.width / 2,
    y: within(first?.y ?? 50, shares.height) - shares.height / 2,
  }
  return (
    <>
      <p class="soft">
        Each scene is shown as it begins; from there the frame moves with who is seen. Drag the
        frame or change a number: then it stays there for the whole scene.
      </p>
      {begin && <Framed record={record} frame={begin} />}
      <ol class="scenes">
        {scenes.map((scene, i) => (
          <SceneRow scene={scene} place={i} isUpright={isUpright} />
        ))}
      </ol>
    </>
  )
}

type SceneFacts = { scene: ShownScene; place: number; isUpright: boolean }

function SceneRow({ scene, place, isUpright }: SceneFacts) {
  const { startTime, endTime, mode, faces } = scene
  const side = isUpright ? 'y' : 'x'
  const name = `scene ${place + 1}`
  return (
    <li data-scene={`${startTime},${endTime}`}>
      <span>
        <a href={`#frames-title`} data-to={startTime}>
          {formatTimecode(startTime)}
        </a>{' '}
        <span class="soft">
          {formatSeconds(endTime - startTime)}, {sayFaces(faces)}
        </span>
      </span>
      <select class="input" name={`mode${place}`} aria-label={`What ${name} shows`}>
        {reframeModes.map((one) => (
          <option value={one} selected={one === mode}>
            {modeWords[one]}
          </option>
        ))}
      </select>
      <label class="measured">
        <span class="soft">middle</span>
        <input
          class="input"
          type="number"
          min="0"
          max="100"
          step="0.1"
          name={`${side}${place}`}
          value={scene[side] ?? 50}
          aria-label={`Middle of the frame in ${name}, in percent from the ${isUpright ? 'top' : 'left'}`}
        />
        <span class="unit">%</span>
      </label>
    </li>
  )
}

function sayFaces(faces: number): string {
  if (faces === 0) return 'nobody found, or chosen by you'
  return faces === 1 ? 'one face' : `${faces} faces`
}

type CropFacts = Pick<FollowedFacts, 'record' | 'source'> & {
  crop: NonNullable<CreateVideo['crop']>
}

function Cropped({ record, source, crop }: CropFacts) {
  const percent = (value: number | string, side: number) =>
    Math.round((1_000 * (pixelsOf(value, side) ?? 0)) / side) / 10
  const { x = 0, y = 0, width = '100%', height = '100%' } = crop
  const at = source && { x: percent(x, source.width), y: percent(y, source.height) }
  const frame = at && {
    ...at,
    width: Math.min(100 - at.x, percent(width, source.width)),
    height: Math.min(100 - at.y, percent(height, source.height)),
  }
  if (!frame)
    return <p class="soft">The whole result is this part of the picture: {sayCrop(crop)}</p>
  return (
    <>
      <Framed record={record} frame={frame} />
      <p class="row" data-scene="0,1000000">
        {(['x', 'y'] as const).map((side) => (
          <label class="measured">
            <span class="soft">{side === 'x' ? 'from the left' : 'from the top'}</span>
            <input
              class="input"
              type="number"
              min="0"
              max={100 - (side === 'x' ? frame.width : frame.height)}
              step="0.1"
              name={`crop-${side}`}
              value={frame[side]}
            />
            <span class="unit">%</span>
          </label>
        ))}
      </p>
    </>
  )
}

const sayCrop = (crop: NonNullable<CreateVideo['crop']>) =>
  Object.entries(crop)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

/** The source with the frame on it; nothing if the service keeps no copy of it. */
function Framed({ record, frame }: { record: VideoRecord; frame: Frame }) {
  if (record.sourceExpiresAt === undefined)
    return (
      <p class="soft">Spool keeps no copy of this source, so the frame cannot be drawn on it.</p>
    )
  const { x, y, width } = frame
  const place = { x, y, width }
  return (
    <div class="framed">
      <video
        controls
        playsinline
        muted
        preload="metadata"
        src={`/app/videos/${record.videoId}/source#t=0.01`}
        aria-label="The source, with the frame of the result"
      />
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="outside" d={outside(frame)} />
        <rect class="frame" {...place} height={frame.height} />
        <rect class="grip needs-script" {...place} height={frame.height * 0.75} />
      </svg>
    </div>
  )
}

/** Everything around a frame. */
function outside({ x, y, width, height }: Frame): string {
  return `M0 0H100V100H0Z M${x} ${y}V${y + height}H${x + width}V${y}Z`
}

function within(middle: number, length: number): number {
  return Math.min(100 - length / 2, Math.max(length / 2, middle))
}

function resultOf({ outputs = [], videoMetadata }: VideoRecord): Size | undefined {
  const film = outputs.find(
    ({ outputFormat, aspectRatio, width }) => isFilm(outputFormat) && (aspectRatio ?? width),
  )
  const { width, height } = film ?? videoMetadata ?? {}
  return width !== undefined && height !== undefined ? { width, height } : undefined
}

/** The largest part of the picture that has the shape of the result. */
function sharesOf(source: Size, result: Size | undefined) {
  if (!result) return undefined
  const ratio = (result.width * source.height) / (result.height * source.width)
  return ratio < 1 ? { width: 100 * ratio, height: 100 } : { width: 100, height: 100 / ratio }
}
