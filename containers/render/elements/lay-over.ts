import type { VisualFacts } from '../../ffmpeg/measure-element.ts'
import { connect, pipe, type Stream } from '../../graph/filter-graph.ts'
import { enabledDuring, gridRate, inFilmTime, type FilmBelow } from './film-time.ts'
import { movesOf, movingPlace, zoomElement } from './move-element.ts'
import { oddPart, openElement } from './open-element.ts'
import { isLooped, type PlacedElement } from './place-element.ts'

/** Lays an element over the film. */
export function layOver(
  below: Stream<'video'>,
  layer: PlacedElement,
  film: FilmBelow,
): Stream<'video'> {
  const { element, media, layout, span } = layer
  const { opacity = 1, fadeIn, fadeOut } = element.effects ?? {}
  const moves = movesOf(element.effects)
  const hasFades = fadeIn !== undefined || fadeOut !== undefined
  const odd = { x: oddPart(layout.at.x), y: oddPart(layout.at.y) }
  const size = { width: layer.size.width + odd.x, height: layer.size.height + odd.y }
  const picture = openElement(media, {
    layout,
    opacity,
    hasFades: hasFades || moves !== undefined,
    colorMatrix: film.colorMatrix,
    isLooped: isLooped(element),
    rate: gridRate(film),
    crop: layer.crop,
    key: element.type === 'text' ? undefined : element.chromaKey,
    outline: layer.outline,
  })
  const timing = { span, fadeIn, fadeOut, name: `element${layer.index}` }
  const isStill = media.facts.kind === 'still' && !hasFades && !moves
  const timed = isStill ? picture : inFilmTime(lasting(picture, media.facts), timing, film)
  const shown = moves ? zoomElement(timed, { moves, span, size }) : timed
  const at = { x: layout.at.x - odd.x, y: layout.at.y - odd.y }
  const [video] = connect('overlay', [below, shown], ['video'], {
    ...(moves ? movingPlace(at, { moves, span, size, frame: film.frame }) : at),
    eval: moves ? 'frame' : 'init',
    // Moving elements are made endless, so that the length of an element never changes the length of the video.
    ...(isStill ? {} : { shortest: 1 }),
    ...enabledDuring(span, film),
  })
  return video
}

/** A still that was combined with another picture, as for round corners, has no length: `fps` would drop it. */
function lasting(picture: Stream<'video'>, { kind }: VisualFacts): Stream<'video'> {
  return kind === 'still' ? pipe(picture, 'tpad', { stop_mode: 'clone', stop: 1 }) : picture
}
