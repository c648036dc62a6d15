import { sharedArea, type SeenObject } from './find-boxes.ts'
import type { Label } from './labels.ts'

/** Boxes of successive pictures that share this much show one thing that has moved a little. */
const sameThing = 0.25

/** The best mean score of one thing over this many pictures in a row that show it; 0 where no pictures do. */
export function lastingScore(
  frames: readonly (readonly SeenObject[])[],
  label: Label,
  length: number,
): number {
  const alike = frames.map((objects) => objects.filter((each) => each.label === label))
  const means = alike.flatMap((objects, place) =>
    objects.map((object) => meanOf(followed(object, alike.slice(place + 1)), length)),
  )
  return Math.max(0, ...means)
}

/** Follows the thing from picture to picture until it is lost. */
function followed(
  first: SeenObject,
  later: readonly (readonly SeenObject[])[],
): readonly SeenObject[] {
  const path = [first]
  for (const objects of later) {
    const last = path.at(-1) ?? first
    const [next] = objects
      .filter((object) => sharedArea(last, object) > sameThing)
      .sort((a, b) => sharedArea(last, b) - sharedArea(last, a))
    if (!next) break
    path.push(next)
  }
  return path
}

function meanOf(path: readonly SeenObject[], length: number): number {
  if (path.length < length) return 0
  return path.slice(0, length).reduce((sum, { score }) => sum + score, 0) / length
}
