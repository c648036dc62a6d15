import type { FilmFade } from '../../../worker/contract/options/picture/picture-edits.ts'
import { connect, onePicture, type Stream } from '../../graph/filter-graph.ts'
import { limitedYuv, tagMatrix } from '../color/limited-yuv.ts'
import type { OutputSpan } from '../elements/element-timing.ts'
import type { Fade } from '../elements/fade.ts'
import { enabledDuring, inFilmTime, type FilmBelow } from '../elements/film-time.ts'
import { withoutGaps } from '../elements/without-gaps.ts'
import { renderStep } from '../render-state.ts'

/**
 * Fades the finished picture, with all that lies on it, from and to a colour: a plate of that colour lies over it, and
 * becomes transparent or opaque. A fade lasts no longer than the film. Captions are drawn later, so they stay readable.
 */
export const fadeFilm = renderStep({
  name: 'fade-film',
  reads: ['fadeIn', 'fadeOut'],
  apply(state, { fadeIn, fadeOut }) {
    if (!lasts(fadeIn) && !lasts(fadeOut)) return state
    const film = withoutGaps(state)
    const { durationSeconds: end } = film
    const within = (fade: FilmFade) => ({ duration: Math.min(end, fade.duration) })
    const bottom = tagMatrix(film.video, film.colorMatrix)
    const risen = lasts(fadeIn)
      ? plateOver(bottom, film, {
          ...{ color: fadeIn.color, span: { start: 0, end: within(fadeIn).duration } },
          ...{ fadeIn: undefined, fadeOut: within(fadeIn), name: 'filmIn' },
        })
      : bottom
    const video = lasts(fadeOut)
      ? plateOver(risen, film, {
          ...{ color: fadeOut.color, span: { start: end - within(fadeOut).duration, end } },
          ...{ fadeIn: within(fadeOut), fadeOut: undefined, name: 'filmOut' },
        })
      : risen
    return { ...film, video }
  },
})

function lasts(fade: FilmFade | undefined): fade is FilmFade {
  return fade !== undefined && fade.duration > 0
}

type Plate = {
  readonly color: string | undefined
  readonly span: OutputSpan
  readonly fadeIn: Fade | undefined
  readonly fadeOut: Fade | undefined
  readonly name: string
}

function plateOver(
  below: Stream<'video'>,
  film: FilmBelow,
  { color = '#000000', ...timing }: Plate,
): Stream<'video'> {
  const { y, u, v } = limitedYuv(color, film.colorMatrix)
  const plate = onePicture(film.frame, 'yuva420p', ['lutyuv', { y, u, v, a: 255 }])
  const [video] = connect('overlay', [below, inFilmTime(plate, timing, film)], ['video'], {
    ...{ x: 0, y: 0, eval: 'init', shortest: 1 },
    ...enabledDuring(timing.span, film),
  })
  return video
}
