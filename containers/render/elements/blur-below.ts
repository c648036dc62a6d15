import type { Element } from '../../../worker/contract/options/elements/elements.ts'
import { layOut, pixelsOf, type Rect } from '../../../worker/contract/layout/element-layout.ts'
import { connect, pipe, pipeAll, type Stream } from '../../graph/filter-graph.ts'
import { elementSpan, lateWarning, type Judged, type OutputSpan } from './element-timing.ts'
import { enabledDuring, type FilmBelow } from './film-time.ts'
import { evenFloor } from '../frame/frame-shape.ts'

type BlurElement = Extract<Element, { type: 'blur' }>

type PlacedBlur = {
  readonly element: BlurElement
  readonly span: OutputSpan
  readonly place: Rect
}

/** When and where the film is blurred, or a warning why it is not. */
export function placeBlur(
  index: number,
  element: BlurElement,
  film: FilmBelow,
): Judged<PlacedBlur> {
  const span = elementSpan(element, film)
  if (!span) return { leftOut: lateWarning(index, element, film) }
  const { frame } = film
  const width = pixelsOf(element.size.width, frame.width) ?? 0
  const height = pixelsOf(element.size.height, frame.height) ?? 0
  const natural = { width, height }
  const layout = layOut({ natural, frame, size: natural, position: element.position, grid: 2 })
  if (!layout) {
    return { leftOut: `elements[${index}] was left out: its position lies outside the picture.` }
  }
  return { placed: { element, span, place: { ...layout.at, ...evenFloor(layout.seen) } } }
}

const usualStrength = 50
/** At full strength, the shorter side has this many blocks, or the blur extends over this fraction of it. */
const coarsest = 4

/** Blurs a rectangle of the film; no pixel outside of it changes. */
export function blurBelow(
  below: Stream<'video'>,
  { element, span, place }: PlacedBlur,
  film: FilmBelow,
): Stream<'video'> {
  const { x, y, width, height } = place
  const { style = 'blur', strength = usualStrength } = element
  const grain = Math.max(2, (Math.min(width, height) * strength) / 100 / coarsest)
  const enabled = enabledDuring(span, film)
  const [whole, seen] = connect('split', [below], ['video', 'video'])
  const part = pipe(seen, 'crop', { w: width, h: height, x, y })
  const blurred =
    style === 'blur'
      ? pipe(part, 'gblur', { sigma: grain, steps: 2, ...enabled })
      : inBlocks(part, place, grain)
  const [video] = connect('overlay', [whole, blurred], ['video'], { x, y, ...enabled })
  return video
}

/** Each block has the mean of its pixels. */
function inBlocks(part: Stream<'video'>, { width, height }: Rect, grain: number): Stream<'video'> {
  const blocks = (length: number) => 2 * Math.max(1, Math.round(length / grain / 2))
  return pipeAll(part, [
    ['scale', { w: blocks(width), h: blocks(height), flags: 'area' }],
    ['scale', { w: width, h: height, flags: 'neighbor' }],
  ])
}
