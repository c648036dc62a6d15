import type { Element } from '../../../worker/contract/options/elements.ts'
import { connect, type Stream } from '../../graph/filter-graph.ts'
import { JobError } from '../../errors/job-error.ts'
import { layOut, type Layout } from '../../../worker/contract/layout/element-layout.ts'
import {
  elementSpan,
  lateWarning,
  type TimeSpan,
  sortOut,
  type Judged,
} from '../elements/element-timing.ts'
import { enabledDuring, gridRate, inFilmTime, type Film } from '../elements/film-time.ts'
import { layoutGrid, naturalSize, openElement, type VisualMedia } from '../elements/open-element.ts'
import { renderStep } from '../render-state.ts'
import { tagMatrix } from '../color/limited-yuv.ts'
import { withoutGaps } from '../elements/without-gaps.ts'

type Visual = Exclude<Element, { type: 'audio' }>

type Overlay = {
  readonly index: number
  readonly element: Visual
  readonly media: VisualMedia
}

type Placed = Overlay & { readonly span: TimeSpan; readonly layout: Layout }

/** Lays images, GIFs, videos and texts over the picture, the lowest first. */
export const placeOverlay = renderStep({
  name: 'place-overlay',
  reads: ['elements'],
  readsOfElements: ['image', 'gif', 'video', 'text'],
  apply(state, { elements = [] }) {
    const overlays = elements.flatMap((element, index): Overlay[] => {
      const { path, facts } = state.elementMedia[index] ?? {}
      if (element.type === 'audio' || !path || !facts || facts.kind === 'sound') return []
      return [{ index, element, media: { path, facts } }]
    })
    const { placed, warnings } = sortOut(overlays.map((overlay) => place(overlay, state)))
    if (placed.length + warnings.length === 0) return state
    // Sorting is stable: with equal zIndex the order of the list remains.
    const layers = placed.sort((a, b) => (a.element.zIndex ?? 0) - (b.element.zIndex ?? 0))
    const said = [...state.warnings, ...warnings]
    if (layers.length === 0) return { ...state, warnings: said }
    const base = withoutGaps(state)
    const bottom = tagMatrix(base.video, base.colorMatrix)
    const video = layers.reduce((below, layer) => layOver(below, layer, base), bottom)
    return { ...base, video, warnings: said }
  },
})

/** Far more than any frame; a larger element would only fill the memory. */
const maxScaledPixels = 8192 * 8192

/** When and where the element is shown, or a warning why it is not. */
function place(overlay: Overlay, base: Film): Judged<Placed> {
  const { index, element, media } = overlay
  const { durationSeconds } = base
  const span = elementSpan(element.timing, durationSeconds)
  if (!span) return { leftOut: lateWarning(index, element.timing, durationSeconds) }
  const layout = layOut({
    natural: naturalSize(media.facts),
    frame: base.frame,
    // A text was drawn in its final size.
    size: element.type === 'text' ? naturalSize(media.facts) : element.size,
    position: element.position,
    grid: layoutGrid(media.facts),
  })
  if (!layout) {
    return { leftOut: `elements[${index}] was left out: its position lies outside the picture.` }
  }
  const { width, height } = layout.scaled
  if (width * height > maxScaledPixels) {
    throw new JobError(
      'element_unusable',
      `elements[${index}].size: the element would be scaled to ${width} × ${height} pixels.`,
    )
  }
  return { placed: { ...overlay, layout, span: endOfMedia(overlay, span) } }
}

/** A video that does not loop disappears after its last picture. */
function endOfMedia({ element, media }: Overlay, span: TimeSpan): TimeSpan {
  if (isLooped(element) || media.facts.kind === 'still') return span
  const seconds =
    media.facts.kind === 'gif' ? media.facts.seconds : media.facts.media.video.endSeconds
  return { start: span.start, end: Math.min(span.end, span.start + seconds) }
}

function isLooped(element: Visual): boolean {
  if (element.type === 'image' || element.type === 'text') return false
  return element.loop ?? element.type === 'gif'
}

function layOver(below: Stream<'video'>, layer: Placed, base: Film): Stream<'video'> {
  const { element, media, layout, span } = layer
  const { opacity = 1, fadeIn, fadeOut } = element.effects ?? {}
  const hasFades = fadeIn !== undefined || fadeOut !== undefined
  const picture = openElement(media, {
    layout,
    opacity,
    hasFades,
    colorMatrix: base.colorMatrix,
    isLooped: isLooped(element),
    rate: gridRate(base),
  })
  const timing = { span, fadeIn, fadeOut, name: `element${layer.index}` }
  const isStill = media.facts.kind === 'still' && !hasFades
  const [video] = connect(
    'overlay',
    [below, isStill ? picture : inFilmTime(picture, timing, base)],
    ['video'],
    {
      x: layout.at.x - (layout.at.x % 2),
      y: layout.at.y - (layout.at.y % 2),
      eval: 'init',
      // Moving elements are made endless, so that the length of an element never changes the length of the video.
      ...(isStill ? {} : { shortest: 1 }),
      ...enabledDuring(span, base),
    },
  )
  return video
}
