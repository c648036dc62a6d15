import type { MouthMoves } from '../../timeline/seen-shots.ts'
import { z } from 'zod'
import { seenFace, type SeenFace } from './face-boxes.ts'

/** A face that may have been watched until the next picture. */
export type WatchedFace = SeenFace & { readonly mouth?: MouthMoves }

/** The faces of one picture. */
export type FacesAt = { readonly seconds: number; readonly faces: readonly WatchedFace[] }

/** What was found and kept, as it is read again. */
export const facesAt: z.ZodType<readonly FacesAt[]> = z.array(
  z.object({ seconds: z.number(), faces: z.array(seenFace) }),
)

export type PlaceInTime = WatchedFace & { readonly seconds: number }

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
    const taken = new Map<SeenFace, PlaceInTime[]>(
      matches(open, faces, seconds).map(({ face, track }) => [face, track]),
    )
    for (const face of faces) {
      const place = { ...face, seconds }
      const track = taken.get(face)
      if (track) track.push(place)
      else open.push([place])
    }
  }
  return [...done, ...open].sort((a, b) => firstOf(a).seconds - firstOf(b).seconds)
}

/** How surely the faces of a track have to be found, if no second model has seen one. */
const leastSure = 0.76
const leastTimes = 3

/** A face looks at the camera at times, and is then found surely: what is only alike never is. */
export function isFace(track: readonly SeenFace[]): boolean {
  if (track.some(({ isSure }) => isSure)) return true
  const scores = track.map(({ score }) => score).sort((a, b) => b - a)
  const best = scores.slice(0, Math.ceil(scores.length / 2))
  const mean = best.reduce((sum, score) => sum + score, 0) / best.length
  return track.length >= leastTimes && mean >= leastSure
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

/** Which of some faces are where others are expected. */
function matches(tracks: readonly PlaceInTime[][], faces: readonly WatchedFace[], seconds: number) {
  const expected = tracks.map((track) => ({ track, face: expectedAt(track, seconds) }))
  return nearestPairs(expected, faces).map(([{ track }, face]) => ({ track, face }))
}

/** The nearest pairs come first, and each face has one at most. */
export function nearestPairs<Known extends { readonly face: SeenFace }>(
  known: readonly Known[],
  faces: readonly SeenFace[],
): [Known, SeenFace][] {
  const used = new Set<unknown>()
  return known
    .flatMap((one) => faces.map((face) => ({ one, face, away: distance(one.face, face) })))
    .filter(({ away }) => away <= mostAway)
    .sort((a, b) => a.away - b.away)
    .flatMap(({ one, face }): [Known, SeenFace][] => {
      if (used.has(one) || used.has(face)) return []
      used.add(one).add(face)
      return [[one, face]]
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
