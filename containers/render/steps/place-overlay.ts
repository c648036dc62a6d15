import type { Element } from '../../../worker/contract/options/elements/elements.ts'
import type { Stream } from '../../graph/filter-graph.ts'
import { tagMatrix } from '../color/limited-yuv.ts'
import { blurBelow, placeBlur } from '../elements/blur-below.ts'
import { sortOut, type Judged } from '../elements/element-timing.ts'
import type { FilmBelow } from '../elements/film-time.ts'
import { layOver } from '../elements/lay-over.ts'
import { placeElement } from '../elements/place-element.ts'
import { withoutGaps } from '../elements/without-gaps.ts'
import { drawnElement, type Drawn } from '../output/drawn-bytes.ts'
import { renderStep, type RenderState } from '../render-state.ts'

/** Draws one element on the picture below it. */
type DrawnLayer = {
  readonly zIndex: number
  readonly drawn: readonly Drawn[]
  draw(below: Stream<'video'>, film: FilmBelow): Stream<'video'>
}

/** Lays images, GIFs, videos and texts over the picture, and blurs parts of it, the lowest first. */
export const placeOverlay = renderStep({
  name: 'place-overlay',
  reads: ['elements'],
  readsOfElements: ['image', 'gif', 'video', 'text', 'blur'],
  apply(state, { elements = [] }) {
    const judged = elements.flatMap((element, index) => layerOf(element, index, state))
    const { placed, warnings } = sortOut(judged)
    if (placed.length + warnings.length === 0) return state
    // Sorting is stable: with equal zIndex the order of the list remains.
    const layers = placed.sort((a, b) => a.zIndex - b.zIndex)
    const said = [...state.warnings, ...warnings]
    if (layers.length === 0) return { ...state, warnings: said }
    const base = withoutGaps(state)
    const bottom = tagMatrix(base.video, base.colorMatrix)
    const video = layers.reduce((below, layer) => layer.draw(below, base), bottom)
    const drawn = [...state.drawn, ...layers.flatMap((layer) => layer.drawn)]
    return { ...base, video, drawn, warnings: said }
  },
})

/** None for an element that is only heard. */
function layerOf(element: Element, index: number, state: RenderState<never>): Judged<DrawnLayer>[] {
  if (element.type === 'audio') return []
  const { zIndex = 0 } = element
  if (element.type === 'blur') {
    return [asLayer(placeBlur(index, element, state), { zIndex, draw: blurBelow, drawn: () => [] })]
  }
  const { path, facts } = state.elementMedia[index] ?? {}
  if (!path || !facts || facts.kind === 'sound') return []
  const placed = placeElement({ index, element, media: { path, facts } }, state)
  return [asLayer(placed, { zIndex, draw: layOver, drawn: (shown) => [drawnElement(shown)] })]
}

type Drawing<Placed> = Pick<DrawnLayer, 'zIndex'> & {
  readonly draw: (below: Stream<'video'>, placed: Placed, film: FilmBelow) => Stream<'video'>
  readonly drawn: (placed: Placed) => readonly Drawn[]
}

function asLayer<Placed>(
  judged: Judged<Placed>,
  { zIndex, draw, drawn }: Drawing<Placed>,
): Judged<DrawnLayer> {
  if ('leftOut' in judged) return judged
  const { placed } = judged
  const layer = { zIndex, drawn: drawn(placed) }
  return { placed: { ...layer, draw: (below, film) => draw(below, placed, film) } }
}
