import type { Element } from '../../../worker/contract/options/elements/elements.ts'
import {
  layOut,
  pixelsOf,
  type Layout,
  type Rect,
  type Size,
} from '../../../worker/contract/layout/element-layout.ts'
import { JobError } from '../../errors/job-error.ts'
import { cropRectangle } from '../frame/crop-rectangle.ts'
import { elementSpan, lateWarning, type Judged, type OutputSpan } from './element-timing.ts'
import type { FilmBelow } from './film-time.ts'
import { turnedBox, type Outline } from './give-outline.ts'
import { movesOf } from './move-element.ts'
import { layoutGrid, naturalSize, type VisualMedia } from './open-element.ts'

/** An element with a picture of its own to lay over the film. */
type Pictured = Exclude<Element, { type: 'audio' | 'blur' }>

type Overlay = {
  readonly index: number
  readonly element: Pictured
  readonly media: VisualMedia
}

export type PlacedElement = Overlay & {
  readonly span: OutputSpan
  readonly layout: Layout
  /** The size of the picture that is laid over the film. */
  readonly size: Size
  readonly crop: Rect | undefined
  readonly outline: Outline | undefined
}

/** Far larger than any frame; a larger element would only fill the memory. */
const maxScaledPixels = 8192 * 8192

/** When and where the element is shown, or a warning why it is not. */
export function placeElement(overlay: Overlay, film: FilmBelow): Judged<PlacedElement> {
  const { index, element, media } = overlay
  const span = elementSpan(element, film)
  if (!span) return { leftOut: lateWarning(index, element, film) }
  const crop = cropOf(overlay)
  const isOutlined = hasOutline(element)
  const layout = layOut({
    natural: crop ?? naturalSize(media.facts),
    frame: film.frame,
    // A text was drawn in its final size.
    size: element.type === 'text' ? naturalSize(media.facts) : element.size,
    position: element.position,
    grid: layoutGrid(media.facts),
    isWhole: isOutlined || movesOf(element.effects) !== undefined,
  })
  if (!layout) {
    return { leftOut: `elements[${index}] was left out: its position lies outside the picture.` }
  }
  refuseHuge(layout.scaled, index)
  const placed = { ...overlay, crop, span: endOfMedia(overlay, span) }
  const { seen } = layout
  return {
    placed: {
      ...placed,
      ...(isOutlined
        ? outlined(element, layout, film)
        : { layout, size: seen, outline: undefined }),
    },
  }
}

function refuseHuge({ width, height }: Size, index: number): void {
  if (width * height <= maxScaledPixels) return
  throw new JobError(
    'element_unusable',
    `elements[${index}].size: the element would be scaled to ${width} × ${height} pixels.`,
  )
}

function cropOf({ element, media, index }: Overlay): Rect | undefined {
  if (element.type === 'text' || !element.crop) return undefined
  return cropRectangle(naturalSize(media.facts), {
    ...{ crop: element.crop, grid: layoutGrid(media.facts) },
    ...{ field: `elements[${index}].crop`, of: 'file' },
  })
}

function degreesOf({ rotation = 0 }: Pictured): number {
  return rotation % 360
}

function hasOutline(element: Pictured): boolean {
  return degreesOf(element) !== 0 || element.cornerRadius !== undefined || element.repeat === 'tile'
}

/** Its place and size after it was turned or repeated. */
function outlined(element: Pictured, layout: Layout, { frame }: FilmBelow) {
  const { width, height } = layout.seen
  const own = { width, height }
  const radius = pixelsOf(element.cornerRadius, Math.min(width, height)) ?? 0
  const degrees = degreesOf(element)
  const box = degrees === 0 ? own : turnedBox(own, degrees)
  const at = {
    x: layout.at.x - (box.width - width) / 2,
    y: layout.at.y - (box.height - height) / 2,
  }
  const turn = degrees === 0 ? undefined : { degrees, box }
  if (element.repeat !== 'tile') {
    return {
      layout: { ...layout, at },
      size: box,
      outline: { size: own, radius, turn, tiles: undefined },
    }
  }
  const offset = { x: behind(-at.x, box.width), y: behind(-at.y, box.height) }
  const size = { width: frame.width, height: frame.height }
  const outline = { size: own, radius, turn, tiles: { frame: size, offset } }
  return { layout: { ...layout, at: { x: 0, y: 0 } }, size, outline }
}

/** The remainder, from 0 up. */
function behind(value: number, length: number): number {
  return ((value % length) + length) % length
}

/** A video that does not loop disappears after its last picture. */
function endOfMedia({ element, media }: Overlay, span: OutputSpan): OutputSpan {
  if (isLooped(element) || media.facts.kind === 'still') return span
  const seconds =
    media.facts.kind === 'gif' ? media.facts.seconds : media.facts.media.video.endSeconds
  return { start: span.start, end: Math.min(span.end, span.start + seconds) }
}

export function isLooped(element: Pictured): boolean {
  if (element.type === 'image' || element.type === 'text') return false
  return element.loop ?? element.type === 'gif'
}
