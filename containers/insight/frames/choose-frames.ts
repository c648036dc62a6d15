import { lookDistance, type PictureLook } from './look-of-picture.ts'

/** Two successive samples that differ by this much or more belong to different shots. */
const cutDistance = 28

/** A picture with less contrast is blank. */
export const blankContrast = 4

/** A shot, as the indexes of its first and last picture. */
type Shot = { readonly first: number; readonly last: number }

export function findShots(looks: readonly PictureLook[]): Shot[] {
  const shots: Shot[] = []
  let first = 0
  looks.forEach((look, i) => {
    const next = looks[i + 1]
    if (next && lookDistance(look, next) < cutDistance) return
    shots.push({ first, last: i })
    first = i + 1
  })
  return shots
}

/** The indexes of at most `count` pictures: every shot gets one before any gets two, long shots before short ones. */
export function chooseFrames(looks: readonly PictureLook[], count: number): number[] {
  const shown = findShots(looks).flatMap(({ first, last }) => {
    const places = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    const seen = places.filter((place) => (looks[place]?.contrast ?? 0) > blankContrast)
    return seen.length > 0 ? [seen] : []
  })
  if (shown.length === 0) return looks.length > 0 ? [Math.floor(looks.length / 2)] : []
  const longestFirst = shown.toSorted((a, b) => b.length - a.length).slice(0, count)
  const shares = longestFirst.map(() => 1)
  for (let given = longestFirst.length; given < count; given++) {
    const [best] = longestFirst
      .map((places, i) => ({ i, each: places.length / (shares[i] ?? 1) }))
      .sort((a, b) => b.each - a.each)
    if (!best || best.each <= 1) break
    shares[best.i] = (shares[best.i] ?? 0) + 1
  }
  return longestFirst
    .flatMap((places, i) => spreadOver(places, shares[i] ?? 1))
    .sort((a, b) => a - b)
}

/** The middles of `count` equal parts. */
function spreadOver(places: readonly number[], count: number): number[] {
  return Array.from({ length: count }, (_, i) =>
    Math.floor(((i + 0.5) * places.length) / count),
  ).flatMap((at) => places[at] ?? [])
}
