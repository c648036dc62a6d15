import type { SeenPlace, SeenShot } from '../../timeline/seen-shots.ts'
import { placeOn, type Knot } from './crop-path.ts'
import type { Span } from './people-path.ts'

/** A crop along one side of the picture, as shares of that side. */
type Followed = Span & { readonly side: number; readonly path: readonly Knot[] }

type Losing = { readonly isAcross: boolean; readonly crops: readonly Followed[] }

/** As much of a face may be outside. */
const mostOutside = 0.25
/** Smaller faces, as a share of the largest one, belong to the background. */
const leastSize = 0.6
/** How many of the moments at which somebody is seen may show nobody. */
const mostLost = { share: 0.15, looks: 3 } as const

/** Whether crops often show nobody while somebody is seen: of people who run faster than an even movement may follow. */
export function losesSight({ people }: SeenShot, { isAcross, crops }: Losing): boolean {
  const wide = ({ left, right }: SeenPlace): number => right - left
  const places = people.flat()
  const largest = places.reduce((most, place) => Math.max(most, wide(place)), 0)
  const near = places.filter((place) => wide(place) >= leastSize * largest)
  const looks = [...Map.groupBy(near, ({ seconds }) => seconds)]
  const lost = looks.filter(([seconds, seen]) => {
    const crop = crops.findLast(({ startSeconds }) => startSeconds <= seconds) ?? crops[0]
    return crop && !seen.some((place) => isInside(place, crop, isAcross))
  })
  return lost.length > Math.max(mostLost.looks, mostLost.share * looks.length)
}

function isInside(place: SeenPlace, { side, path }: Followed, isAcross: boolean): boolean {
  const [from, to] = isAcross ? [place.left, place.right] : [place.top, place.bottom]
  const middle = placeOn(path, place.seconds) ?? 0.5
  const shown = Math.min(to, middle + side / 2) - Math.max(from, middle - side / 2)
  return shown >= (1 - mostOutside) * Math.min(side, to - from)
}
