import { mainPeople } from '../../render/frame/main-people.ts'
import type { SeenShot } from '../../timeline/seen-shots.ts'
import type { SeenFace } from '../faces/face-boxes.ts'
import {
  facesAmong,
  nearestPairs,
  trackFaces,
  withoutStrays,
  type FacesAt,
  type FaceTrack,
} from '../faces/track-faces.ts'
import { isBody } from './find-bodies.ts'

/** A face that turns away for up to this long is still the same one, even if it moves. */
const mostLostSeconds = 1.5
/** The same for bodies, which are looked for once a second. */
const mostLostBody = 3

/** A person who was not confirmed counts if found in this share of the looks at a shot. */
const leastDoubted = 0.7

type WatchedFilm = {
  readonly looks: readonly FacesAt[]
  /** Where heads must be, at moments at which no face was found. */
  readonly bodies: readonly FacesAt[]
  readonly cuts: readonly number[]
  readonly end: number
}

/** The shots between cuts, and who is seen in each of them. The last one ends at `end`. */
export function listShots({ looks, bodies, cuts, end }: WatchedFilm): SeenShot[] {
  const bounds = [0, ...cuts, Math.max(end, (cuts.at(-1) ?? 0) + 0.001)]
  const seen = trackFaces(looks, { mostLostSeconds, cuts })
  const certain = facesAmong(seen)
  const tracks = certain.map(withoutStrays).sort((a, b) => beginOf(a) - beginOf(b))
  const doubted = seen.filter((track) => !certain.includes(track))
  const others = trackFaces(bodies, { mostLostSeconds: mostLostBody, cuts }).filter(isBody)
  const seconds = looks.map((look) => look.seconds)
  const from = { look: 0, track: 0, other: 0, doubt: 0 }
  return bounds.slice(1).map((endSeconds, i) => {
    const startSeconds = bounds[i] ?? 0
    const first = { ...from }
    while ((seconds[from.look] ?? Infinity) < endSeconds) from.look += 1
    while (beginOf(tracks[from.track]) < endSeconds) from.track += 1
    while (beginOf(others[from.other]) < endSeconds) from.other += 1
    while (beginOf(doubted[from.doubt]) < endSeconds) from.doubt += 1
    const faces = joined(tracks.slice(first.track, from.track))
    const span = { startSeconds, endSeconds }
    const ofFaces = { ...span, looks: seconds.slice(first.look, from.look), people: faces }
    if (mainPeople(ofFaces).length > 0) return ofFaces
    // A shot without faces is about the people whose bodies are seen in it.
    const isIn = (look: FacesAt): boolean =>
      look.seconds >= startSeconds && look.seconds < endSeconds
    const bodyLooks = bodies.filter(isIn).map((look) => look.seconds)
    const people = joined(others.slice(first.other, from.other))
    const ofBodies = { ...span, looks: bodyLooks, people }
    if (mainPeople(ofBodies).length > 0) return ofBodies
    // Drawn faces are not confirmed. What looks like a face for most of a shot without anybody else is its subject.
    const drawn = joined(doubted.slice(first.doubt, from.doubt)).filter(
      ({ length }) => length >= leastDoubted * ofFaces.looks.length,
    )
    const ofDoubted = { ...ofFaces, people: drawn }
    return mainPeople(ofDoubted).length > 0 ? ofDoubted : ofFaces
  })
}

const beginOf = (track: FaceTrack | undefined): number => track?.[0]?.seconds ?? Infinity

/**
 * If a face appears where one was last seen that turned away for longer, it is the same person. Tracks come in the order of
 * their beginnings.
 */
function joined(tracks: readonly FaceTrack[]): FaceTrack[] {
  const people: { face: FaceTrack[number]; readonly places: FaceTrack[number][] }[] = []
  for (let from = 0; from < tracks.length;) {
    const begin = tracks[from]?.[0]?.seconds ?? 0
    let to = from
    while (to < tracks.length && tracks[to]?.[0]?.seconds === begin) to += 1
    const begun = new Map(
      tracks.slice(from, to).flatMap((track) => track.slice(0, 1).map((face) => [face, track])),
    )
    const ended = people.filter(({ face }) => face.seconds < begin)
    const pairs = nearestPairs(ended, [...begun.keys()])
    const known = new Map<SeenFace, (typeof people)[number]>(
      pairs.map(([person, face]) => [face, person]),
    )
    for (const [face, track] of begun) {
      const person = known.get(face)
      const last = track.at(-1) ?? face
      if (!person) people.push({ face: last, places: [...track] })
      else {
        for (const place of track) person.places.push(place)
        person.face = last
      }
    }
    from = to
  }
  return people.map(({ places }) => places)
}
