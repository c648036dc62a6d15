import type { SeenFace } from './face-boxes.ts'

/** The faces of one picture. */
export type FacesAt = { readonly seconds: number; readonly faces: readonly SeenFace[] }

export type PlaceInTime = SeenFace & { readonly seconds: number }

/** One face, in each picture in which it was found, in order. */
export type FaceTrack = readonly PlaceInTime[]

type Tracking = {
  /** A face that was not found for longer than this is another one when it is found again. */
  readonly mostLostSeconds: number
  /** Where shots begin: no face is followed past these. */
  readonly cuts?: readonly number[]
}

/** Which faces of successive pictures are one face. Pictures come in order. */
export function trackFaces(
  pictures: readonly FacesAt[],
  { mostLostSeconds, cuts = [] }: Tracking,
): FaceTrack[] {
  const done: PlaceInTime[][] = []
  let open: PlaceInTime[][] = []
  let shot = 0
  for (const { seconds, faces } of pictures) {
    const begun = shot
    while ((cuts[shot] ?? Infinity) <= seconds) shot += 1
    const oldest = shot > begun ? Infinity : seconds - mostLostSeconds
    done.push(...open.filter((track) => lastOf(track).seconds < oldest))
    open = open.filter((track) => lastOf(track).seconds >= oldest)
    const taken = new Map(matches(open, faces, seconds).map(({ face, track }) => [face, track]))
    for (const face of faces) {
      const place = { ...face, seconds }
      const track = taken.get(face)
      if (track) track.push(place)
      else open.push([place])
    }
  }
  return [...done, ...open].sort((a, b) => firstOf(a).seconds - firstOf(b).seconds)
}

const lastOf = (track: FaceTrack): PlaceInTime => placeOf(track, track.length - 1)
const firstOf = (track: FaceTrack): PlaceInTime => placeOf(track, 0)

function placeOf(track: FaceTrack, at: number): PlaceInTime {
  const place = track[at]
  if (!place) throw new Error('A face that was never seen')
  return place
}

/** How far a face may be from where it is expected, in its own sizes. */
const mostAway = 1.3
/** How much larger or smaller it may be. */
const mostGrown = 2

/** The nearest pairs come first, and each track and each face has one. */
function matches(tracks: readonly PlaceInTime[][], faces: readonly SeenFace[], seconds: number) {
  const pairs = tracks.flatMap((track) => {
    const expected = expectedAt(track, seconds)
    return faces.map((face) => ({ track, face, away: distance(expected, face) }))
  })
  const used = new Set<unknown>()
  return pairs
    .filter(({ away }) => away <= mostAway)
    .sort((a, b) => a.away - b.away)
    .filter(({ track, face }) => {
      if (used.has(track) || used.has(face)) return false
      used.add(track).add(face)
      return true
    })
}

/** A face keeps moving as it last did, for as long as it was seen to move. */
function expectedAt(track: FaceTrack, seconds: number): SeenFace {
  const last = lastOf(track)
  const before = track.at(-2)
  if (!before) return last
  const most = last.seconds - before.seconds
  const share = Math.min(seconds - last.seconds, most) / Math.max(1e-6, most)
  const right = (middleX(last) - middleX(before)) * share
  const down = (middleY(last) - middleY(before)) * share
  const { left, top, score } = last
  return {
    ...{ left: left + right, right: last.right + right, score },
    ...{ top: top + down, bottom: last.bottom + down },
  }
}

const middleX = ({ left, right }: SeenFace): number => (left + right) / 2
const middleY = ({ top, bottom }: SeenFace): number => (top + bottom) / 2

function distance(a: SeenFace, b: SeenFace): number {
  const [wideA, wideB] = [a.right - a.left, b.right - b.left]
  const [highA, highB] = [a.bottom - a.top, b.bottom - b.top]
  if (Math.max(highA / highB, highB / highA) > mostGrown) return Infinity
  return Math.hypot(
    (middleX(a) - middleX(b)) / ((wideA + wideB) / 2),
    (middleY(a) - middleY(b)) / ((highA + highB) / 2),
  )
}
