import { pixelsOf, type Size } from '../../../contract/layout/element-layout.ts'
import type { Reframed } from '../../../contract/job/reframed.ts'
import { isFilm } from '../../../contract/options/outputs/outputs.ts'
import type { VideoRecord } from '../../../contract/video/video-record.ts'
import type { ShownFrame, SceneFrame } from '../frame.ts'
import type { ShownPlan } from '../read-plan.ts'

/**
 * The part of the only source that the result shows, scene by scene; undefined if no scene shows one part, or if the record
 * does not tell.
 */
export function sceneFrames(
  record: VideoRecord,
  plan: ShownPlan | undefined,
): SceneFrame[] | undefined {
  const { reframed, crop } = record
  const source = drawnSource(record, plan)
  if (!source || (reframed && crop)) return undefined
  if (!reframed) return crop && [[0, cropFrame(crop, source)]]
  const { scenes } = reframed
  if (!scenes.some(({ mode }) => mode === 'crop')) return undefined
  const shape = shapeIn(source, record)
  return scenes.flatMap((scene) => movedFrames(scene, shape))
}

/** The frames of one scene, each of which moves to the next one. */
export function movedFrames(
  { startTime, mode, x, y, moves = [] }: Reframed['scenes'][number],
  shape: Omit<ShownFrame, 'x' | 'y'>,
): SceneFrame[] {
  if (mode !== 'crop') return [[startTime]]
  const places = [{ time: startTime, x, y }, ...moves.map((move) => ({ x, y, ...move }))]
  return places.map(({ time, ...middle }, i) => {
    const frame = followedFrame(middle, shape)
    return i < moves.length ? [time, frame, true] : [time, frame]
  })
}

/** The only source, if the page shows it just as the job examined it: neither cropped nor turned first. */
export function drawnSource(
  { rotate, flip }: VideoRecord,
  plan: ShownPlan | undefined,
): Size | undefined {
  const [source, ...others] = plan?.sources ?? []
  const isTurned = (rotate ?? 0) !== 0 || flip !== undefined
  return source && others.length === 0 && !isTurned ? source : undefined
}

export function cropFrame(crop: NonNullable<VideoRecord['crop']>, source: Size): ShownFrame {
  const percent = (value: number | string, side: number) =>
    Math.round((1_000 * (pixelsOf(value, side) ?? 0)) / side) / 10
  const { x = 0, y = 0, width = '100%', height = '100%' } = crop
  const at = { x: percent(x, source.width), y: percent(y, source.height) }
  return {
    ...at,
    width: Math.min(100 - at.x, percent(width, source.width)),
    height: Math.min(100 - at.y, percent(height, source.height)),
  }
}

/** The largest part of the source in the shape of the result. */
export function shapeIn(source: Size, record: VideoRecord): Omit<ShownFrame, 'x' | 'y'> {
  const result = resultOf(record) ?? source
  const ratio = (result.width * source.height) / (result.height * source.width)
  return ratio < 1 ? { width: 100 * ratio, height: 100 } : { width: 100, height: 100 / ratio }
}

/** The frame around a centre, moved so that it lies inside the picture. */
export function followedFrame(
  { x = 50, y = 50 }: { x?: number | undefined; y?: number | undefined },
  shape: Omit<ShownFrame, 'x' | 'y'>,
): ShownFrame {
  const { width, height } = shape
  return { ...shape, x: within(x, width) - width / 2, y: within(y, height) - height / 2 }
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
