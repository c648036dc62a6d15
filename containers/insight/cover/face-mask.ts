import type { FaceCounts } from '../../../worker/contract/job/report.ts'
import {
  facesAmong,
  firstOf,
  lastOf,
  trackFaces,
  withoutStrays,
  type FacesAt,
  type FaceTrack,
  type PlaceInTime,
} from '../faces/track-faces.ts'
import { boxBetween, type Box } from '../../numbers/picture-box.ts'
import type { Size } from '../../../worker/contract/layout/element-layout.ts'

/** Pictures examined, and pictures of the mask, in a second: no head moves far in between. */
export const maskRate = 10
/** Pictures of the mask before the film begins, so that the first picture has one even if the clocks differ. */
export const leadPictures = 5
/** The same after the film has ended. */
const trailingPictures = 20
/** Pixels of the longer side of the mask, whose edges are soft on the film. */
const maskSide = 160

/** For how long a face that turns away is assumed between the places where it is seen. */
const mostLostSeconds = 2
/** For how long a face is assumed before it is first found and after it is last found. */
const aroundSeconds = 0.5

/** From the box of a face, brows to chin, to that of its head, in sides of the face. */
const head = { beside: 0.45, above: 0.7, below: 0.35 }

export function maskSizeFor({ width, height }: Size): Size {
  const scale = maskSide / Math.max(width, height)
  const side = (length: number): number => Math.max(2, Math.round(length * scale))
  return { width: side(width), height: side(height) }
}

export type FaceMask = {
  readonly size: Size
  readonly counts: FaceCounts
  /** How many pictures it has. */
  readonly pictures: number
  /** The picture with this number; undefined if it covers nothing. */
  readonly pictureAt: (place: number) => Uint8Array | undefined
}

/** The mask of a film in which faces were looked for, `maskRate` times a second. */
export function maskFaces(found: readonly FacesAt[], film: Size): FaceMask {
  const tracks = facesAmong(trackFaces(found, { mostLostSeconds })).map(withoutStrays)
  const cuts = found.filter(({ isCut }) => isCut).map(({ seconds }) => seconds)
  const size = maskSizeFor(film)
  const pictures = found.length + leadPictures + trailingPictures
  const opening = new Map<number, FaceTrack[]>()
  for (const track of tracks) {
    const [from, to] = spanOf(track, cuts)
    // A picture is shown a little before or after the moment at which it was examined.
    const first = Math.max(0, placeOf(from) - 1)
    for (let place = first; place <= placeOf(to) + 1; place++) {
      opening.set(place, [...(opening.get(place) ?? []), track])
    }
  }
  return {
    ...{ size, pictures, counts: countFaces(tracks, opening, found.length) },
    pictureAt(place) {
      const boxes = (opening.get(place) ?? []).flatMap((track) => boxesAt(track, place))
      if (boxes.length === 0) return undefined
      const mask = new Uint8Array(size.width * size.height)
      for (const box of boxes) fillEllipse(mask, size, box)
      return mask
    },
  }
}

const placeOf = (seconds: number): number => Math.round(seconds * maskRate) + leadPictures
const momentOf = (place: number): number => (place - leadPictures) / maskRate

/** How long a face may take to enter or leave the picture, while only a part of it is seen. */
const mostEnteringSeconds = 3
/** The same for a face that stays at the edge, of which only a part is seen and which is often lost. */
const cutOffSeconds = 1
/** A face this close to an edge of the picture, in its own sizes, enters or leaves there. */
const edge = 0.5

/** From when to when a face is covered, but not into the shot before or after. */
function spanOf(track: FaceTrack, cuts: readonly number[]): [from: number, to: number] {
  const [first, last] = [firstOf(track), lastOf(track)]
  const begun = cuts.findLast((cut) => cut <= first.seconds) ?? -Infinity
  const ended = (cuts.find((cut) => cut > last.seconds) ?? Infinity) - 1 / maskRate
  return [
    Math.max(first.seconds - partlySeconds(track, -1), begun),
    Math.min(last.seconds + partlySeconds(track, 1), ended),
  ]
}

/** For how long a face may have been there before it was first found, or after it was last found. */
function partlySeconds(track: FaceTrack, side: -1 | 1): number {
  const [first, last] = [firstOf(track), lastOf(track)]
  const end = side < 0 ? first : last
  if (last.seconds - first.seconds < steadySeconds || !isAtEdge(end)) return aroundSeconds
  for (let after = aroundSeconds; after < mostEnteringSeconds; after += 1 / maskRate) {
    if (isOutside(movedOn(track, end.seconds + side * after))) return after
  }
  return cutOffSeconds
}

function isAtEdge({ left, right, top, bottom }: Box): boolean {
  const [across, down] = [edge * (right - left), edge * (bottom - top)]
  return left < across || top < down || right > 1 - across || bottom > 1 - down
}

const isOutside = ({ left, right, top, bottom }: Box): boolean =>
  right < 0 || bottom < 0 || left > 1 || top > 1

/** Where a head is while a picture of the mask is shown, and half a picture before and after. */
function boxesAt(track: FaceTrack, place: number): Box[] {
  const at = momentOf(place)
  return [at - 0.5 / maskRate, at + 0.5 / maskRate, at + 1.5 / maskRate].flatMap((seconds) =>
    facesAt(track, seconds).map(headOf),
  )
}

/** Between two pictures in which it was found, a face moves evenly; before the first and after the last, it may stay or move on. */
function facesAt(track: FaceTrack, seconds: number): Box[] {
  const [first, last] = [firstOf(track), lastOf(track)]
  if (seconds < first.seconds) return [first, movedOn(track, seconds)]
  if (seconds > last.seconds) return [last, movedOn(track, seconds)]
  const next = Math.max(
    1,
    track.findIndex((place) => place.seconds >= seconds),
  )
  return [alongAt(track[next - 1] ?? first, track[next] ?? first, seconds)]
}

/** Over a shorter time, the movement of a face is less than the error of its box. */
const steadySeconds = 0.4

/** Where a face is before the first or after the last moment at which it was found, if it keeps its speed and size. */
function movedOn(track: FaceTrack, seconds: number): Box {
  const [first, last] = [firstOf(track), lastOf(track)]
  const isBefore = seconds < first.seconds
  const end = isBefore ? first : last
  const inner = isBefore
    ? track.find((place) => place.seconds >= first.seconds + steadySeconds)
    : track.findLast((place) => place.seconds <= last.seconds - steadySeconds)
  const other = inner ?? (isBefore ? last : first)
  const apart = end.seconds - other.seconds
  const share = apart === 0 ? 0 : (seconds - end.seconds) / apart
  const middle = (one: Box, from: 'left' | 'top', to: 'right' | 'bottom') =>
    (one[from] + one[to]) / 2
  const right = (middle(end, 'left', 'right') - middle(other, 'left', 'right')) * share
  const down = (middle(end, 'top', 'bottom') - middle(other, 'top', 'bottom')) * share
  return {
    ...{ left: end.left + right, right: end.right + right },
    ...{ top: end.top + down, bottom: end.bottom + down },
  }
}

/** On the line through two places. */
function alongAt(before: PlaceInTime, after: PlaceInTime, seconds: number): Box {
  const apart = after.seconds - before.seconds
  return boxBetween(before, after, apart <= 0 ? 0 : (seconds - before.seconds) / apart)
}

function headOf({ left, right, top, bottom }: Box): Box {
  const [width, height] = [right - left, bottom - top]
  return {
    left: left - width * head.beside,
    right: right + width * head.beside,
    top: top - height * head.above,
    bottom: bottom + height * head.below,
  }
}

/** A little larger than the ellipse that touches the box, because hair and ears are not round. */
const roundness = 1.1

function fillEllipse(mask: Uint8Array, { width, height }: Size, box: Box): void {
  const [middleX, middleY] = [
    ((box.left + box.right) / 2) * width,
    ((box.top + box.bottom) / 2) * height,
  ]
  const radiusX = Math.max(1.5, ((box.right - box.left) / 2) * width * roundness)
  const radiusY = Math.max(1.5, ((box.bottom - box.top) / 2) * height * roundness)
  const [top, bottom] = [Math.max(0, Math.floor(middleY - radiusY)), Math.ceil(middleY + radiusY)]
  for (let y = top; y < Math.min(height, bottom); y++) {
    const half = 1 - ((y + 0.5 - middleY) / radiusY) ** 2
    if (half <= 0) continue
    const reach = radiusX * Math.sqrt(half)
    const from = Math.min(width, Math.max(0, Math.floor(middleX - reach)))
    const to = Math.max(0, Math.min(width, Math.ceil(middleX + reach)))
    mask.fill(255, y * width + from, y * width + to)
  }
}

function countFaces(
  tracks: readonly FaceTrack[],
  opening: ReadonlyMap<number, readonly FaceTrack[]>,
  pictures: number,
): FaceCounts {
  let [covered, uncertain] = [0, 0]
  const seen = new Map(
    tracks.map((track) => [track, new Set(track.map(({ seconds }) => placeOf(seconds)))]),
  )
  for (const [place, shown] of opening) {
    if (place < leadPictures || place >= pictures + leadPictures) continue
    covered += 1
    if (shown.some((track) => !seen.get(track)?.has(place))) uncertain += 1
  }
  return {
    tracks: tracks.length,
    seconds: covered / maskRate,
    uncertainSeconds: uncertain / maskRate,
  }
}
