import type { MouthMoves } from '../../timeline/seen-shots.ts'
import { z } from 'zod'
import { isSameFace, seenFace, type SeenFace } from './face-boxes.ts'
import { meanOf } from '../../numbers/mean.ts'

/** A face that may have been watched until the next picture. */
export type WatchedFace = SeenFace & { readonly mouth?: MouthMoves }

/** The faces of one picture. */
export type FacesAt = {
  readonly seconds: number
  readonly faces: readonly WatchedFace[]
  /** Whether a shot begins with it; absent if none does, or if that was not examined. */
  readonly isCut?: boolean | undefined
}

/** Reads faces that were found and kept. */
export const facesAt: z.ZodType<readonly FacesAt[]> = z.array(
  z.object({ seconds: z.number(), faces: z.array(seenFace), isCut: z.boolean().optional() }),
)

export type PlaceInTime = WatchedFace & { readonly seconds: number }

/** One face, in each picture in which it was found, in order. */
export type FaceTrack = readonly PlaceInTime[]

type Tracking = {
  /** A face that was not found for longer than this counts as another one when it is found again. */
  readonly mostLostSeconds: number
  /** Where shots begin: no face is followed beyond these. */
  readonly cuts?: readonly number[]
}

/** Decides which faces of successive pictures are the same face. Pictures come in order. */
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

/** A second model confirms a real face in at least this share of its pictures, and anything else only once. */
const leastConfirmed = 0.25
const surelyConfirmed = 3
/** How certainly the faces of a track must be found if no second model has confirmed one. */
const leastSure = 0.8
const leastTimes = 6

/** A track that was confirmed once is a face if it is found this certainly; small faces are found less certainly. */
const leastOnce = 0.7
const small = 0.08

const isLikely = ({ score, ...face }: SeenFace): boolean =>
  score >= leastOnce || Math.max(face.right - face.left, face.bottom - face.top) < small

/** A face that turns, or comes much nearer, is not followed: it begins another track where it was up to this long before. */
const goesOnSeconds = 0.5

/**
 * Decides which tracks are faces. Where a face is known, findings are not confirmed again: so a track that was never confirmed
 * is a face only where one has just been, or soon will be.
 */
export function facesAmong(tracks: readonly FaceTrack[]): FaceTrack[] {
  const own = tracks.filter(isFace)
  const isBeside = (one: PlaceInTime, other: PlaceInTime): boolean =>
    Math.abs(one.seconds - other.seconds) <= goesOnSeconds && isSameFace(one, other)
  return tracks.filter((track) => {
    if (own.includes(track)) return true
    if (track.length < 2 || !track.some(({ isSure }) => isSure)) return false
    const ends = [firstOf(track), lastOf(track)]
    return own.some((face) => {
      // Something that is seen at the same time as the face is another thing.
      const isTogether = face.some(({ seconds }) => ends.some((end) => end.seconds === seconds))
      return !isTogether && face.some((place) => ends.some((end) => isBeside(place, end)))
    })
  })
}

/** A face sometimes looks at the camera, and is then found with certainty; things that only look alike never are. */
function isFace(track: FaceTrack): boolean {
  const sure = track.filter(({ isSure }) => isSure)
  const confirmed = sure.filter(({ isKnown }) => isKnown !== true).length
  if (confirmed > 0) {
    const { length } = sure.length > 1 ? withoutStrays(track) : track
    const isOften = sure.length >= Math.min(surelyConfirmed, leastConfirmed * length)
    return isOften && (confirmed > 1 || sure.some(isLikely))
  }
  const scores = track.map(({ score }) => score).sort((a, b) => b - a)
  const best = scores.slice(0, Math.ceil(scores.length / 2))
  return track.length >= leastTimes && meanOf(best) >= leastSure
}

/** A finding within this time is the same face in the next picture, or in the one after that. */
const soonSeconds = 0.35

/**
 * Removes findings that only look like the face from a track, before it has come and after it has left: those without
 * confirmation and with nothing between them and the face.
 */
export function withoutStrays(track: FaceTrack): FaceTrack {
  let first = track.findIndex(({ isSure }) => isSure)
  let last = track.findLastIndex(({ isSure }) => isSure)
  if (first < 0) return track
  const isSoon = (at: number): boolean =>
    (track[at + 1]?.seconds ?? Infinity) - (track[at]?.seconds ?? -Infinity) <= soonSeconds
  while (isSoon(first - 1)) first -= 1
  while (isSoon(last)) last += 1
  return track.slice(first, last + 1)
}

export const lastOf = (track: FaceTrack): PlaceInTime => placeOf(track, track.length - 1)
export const firstOf = (track: FaceTrack): PlaceInTime => placeOf(track, 0)

function placeOf(track: FaceTrack, at: number): PlaceInTime {
  const place = track[at]
  if (!place) throw new Error('A face that was never seen')
  return place
}

/** How far a face may be from where it is expected, in its own sizes. */
const mostAway = 1.3
/** How much larger or smaller it may be. */
const mostGrown = 1.7

/**
 * A face that turned round, or that has just begun to run, is not where it is expected. If it was seen a moment ago, it may be
 * this far from its place then, in its own sizes, and farther by the distance it ran before.
 */
const mostRun = 2.6
const momentSeconds = 0.3

/** Pairs faces with the places where others are expected and, for those left over, with places to which they may have run. */
function matches(tracks: readonly PlaceInTime[][], faces: readonly WatchedFace[], seconds: number) {
  const expected = tracks.map((track) => ({ track, face: expectedAt(track, seconds) }))
  const near = nearestPairs(expected, faces).map(([{ track }, face]) => ({ track, face }))
  const found = new Set<unknown>(near.flatMap(({ track, face }) => [track, face]))
  const lost = tracks
    .filter((track) => !found.has(track) && seconds - lastOf(track).seconds <= momentSeconds)
    .map((track) => ({ track, face: lastOf(track), ran: ranTo(track) }))
  const left = faces.filter((face) => !found.has(face))
  const far = nearestPairs(lost, left, ({ ran }) => mostRun + ran)
  return [...near, ...far.map(([{ track }, face]) => ({ track, face }))]
}

/** How far a face was from its place before, in its own sizes, if it was seen there a moment before. */
function ranTo(track: FaceTrack): number {
  const [last, before] = [lastOf(track), track.at(-2)]
  if (!before || last.seconds - before.seconds > momentSeconds) return 0
  const away = distance(before, last)
  return Number.isFinite(away) ? away : 0
}

/** The nearest pairs come first, and each face belongs to one at most. */
export function nearestPairs<Known extends { readonly face: SeenFace }>(
  known: readonly Known[],
  faces: readonly SeenFace[],
  mostOf: (one: Known) => number = () => mostAway,
): [Known, SeenFace][] {
  const used = new Set<unknown>()
  return known
    .flatMap((one) => faces.map((face) => ({ one, face, away: distance(one.face, face) })))
    .filter(({ one, away }) => away <= mostOf(one))
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
