import type { CreateVideo } from '../../../contract/options/create-video.ts'
import type { Size } from '../../../contract/layout/element-layout.ts'
import { reframeModes } from '../../../contract/options/picture/reframe.ts'
import type { Reframed } from '../../../contract/job/reframed.ts'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import { Button } from '../../design/button.tsx'
import { formatSeconds, formatTimecode } from '../../design/formats.ts'
import type { VideoView } from '../read-video-view.ts'
import { around, type ShownFrame } from '../frame.ts'
import { cropFrame, drawnSource, followedFrame, movedFrames, shapeIn } from './source-frames.ts'

type ShownScene = Reframed['scenes'][number]

type FramesFacts = Pick<VideoView, 'record' | 'plan' | 'sourceUrl'>

/** The part of the source that the result shows, drawn on the source. It can be moved, and the video made again with it. */
export function Frames({ record, plan, sourceUrl }: FramesFacts) {
  const { reframed, crop, videoId, status } = record
  if (status !== 'succeeded' || !(reframed ?? crop)) return null
  const source = drawnSource(record, plan)
  return (
    <section class="frames" aria-labelledby="frames-title">
      <h2 id="frames-title">What the result shows of the source</h2>
      <form action="/app/videos/new" data-frames>
        <input type="hidden" name="from" value={videoId} />
        {reframed ? (
          <Followed
            record={record}
            source={source}
            sourceUrl={sourceUrl}
            scenes={reframed.scenes}
          />
        ) : (
          crop && <Cropped source={source} sourceUrl={sourceUrl} crop={crop} />
        )}
        <p>
          <Button>Make it again with this</Button>
        </p>
      </form>
    </section>
  )
}

type FollowedFacts = {
  record: VideoRecord
  sourceUrl: string | undefined
  source: Size | undefined
  scenes: readonly ShownScene[]
}

const modeWords: Record<ShownScene['mode'], string> = {
  crop: 'a part of it',
  halves: 'two people, one above the other',
  wide: 'all of it, with bars',
}

function Followed({ record, source, sourceUrl, scenes }: FollowedFacts) {
  const size = record.crop ? undefined : source
  const shape = size && shapeIn(size, record)
  const begin = shape && followedFrame(scenes[0] ?? {}, shape)
  return (
    <>
      <p class="soft">
        The frame moves as in the result; the numbers say where it is when a scene begins. Drag it
        or change a number: then it stays there for the whole scene.
      </p>
      {begin && <Framed sourceUrl={sourceUrl} frame={begin} />}
      <ol class="scenes">
        {scenes.map((scene, i) => (
          <SceneRow scene={scene} place={i} shape={shape} />
        ))}
      </ol>
    </>
  )
}

type SceneFacts = {
  scene: ShownScene
  place: number
  shape: ReturnType<typeof shapeIn> | undefined
}

function SceneRow({ scene, place, shape }: SceneFacts) {
  const { startTime, endTime, mode, faces, moves } = scene
  const isUpright = shape !== undefined && shape.height < 100
  const moved = shape && moves && JSON.stringify(movedFrames(scene, shape))
  const side = isUpright ? 'y' : 'x'
  const name = `scene ${place + 1}`
  return (
    <li data-scene={`${startTime},${endTime}`} data-moved={moved}>
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

type CropFacts = Pick<FollowedFacts, 'source' | 'sourceUrl'> & {
  crop: NonNullable<CreateVideo['crop']>
}

function Cropped({ sourceUrl, source, crop }: CropFacts) {
  const frame = source && cropFrame(crop, source)
  if (!frame)
    return <p class="soft">The whole result is this part of the picture: {sayCrop(crop)}</p>
  return (
    <>
      <Framed sourceUrl={sourceUrl} frame={frame} />
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

type FramedFacts = { sourceUrl: string | undefined; frame: ShownFrame }

/** Shows the source with the frame on it, or says that Spool cannot show the source. */
function Framed({ sourceUrl, frame }: FramedFacts) {
  if (sourceUrl === undefined)
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
        src={`${sourceUrl}#t=0.01`}
        aria-label="The source, with the frame of the result"
      />
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <path class="outside" d={around(frame)} />
        <rect class="frame" {...place} height={frame.height} />
        <rect class="grip needs-script" {...place} height={frame.height * 0.75} />
      </svg>
    </div>
  )
}
