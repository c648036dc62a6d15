import type { SeenShot } from '../../timeline/seen-shots.ts'
import type { SeenFace } from '../faces/face-boxes.ts'
import { nearestPairs, trackFaces, type FacesAt, type FaceTrack } from '../faces/track-faces.ts'

/** A face that turns away for this long is still the same one, even if it moves. */
const mostLostSeconds = 1.5

/** The shots between cuts, and who is seen in each of them. The last one ends at `end`. */
export function listShots(
  looks: readonly FacesAt[],
  cuts: readonly number[],
  end: number,
): SeenShot[] {
  const bounds = [0, ...cuts, Math.max(end, (cuts.at(-1) ?? 0) + 0.001)]
  const tracks = trackFaces(looks, { mostLostSeconds, cuts })
  const firsts = tracks.map(([first]) => first?.seconds ?? 0)
  const seconds = looks.map((look) => look.seconds)
  let [look, track] = [0, 0]
  return bounds.slice(1).map((endSeconds, i) => {
    const startSeconds = bounds[i] ?? 0
    const [firstLook, firstTrack] = [look, track]
    while ((seconds[look] ?? Infinity) < endSeconds) look += 1
    while ((firsts[track] ?? Infinity) < endSeconds) track += 1
    const people = joined(tracks.slice(firstTrack, track).filter(isSure))
    return { startSeconds, endSeconds, looks: seconds.slice(firstLook, look), people }
  })
}

/**
 * Somebody who turned away for longer is the same person, if a face appears again where the last one was seen. Tracks come in the
 * order in which they begin.
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

/** A face looks at the camera at times, and is then found surely: what is only alike never is. */
function isSure(track: readonly SeenFace[]): boolean {
  const scores = track.map(({ score }) => score).sort((a, b) => b - a)
  const best = scores.slice(0, Math.ceil(scores.length / 2))
  return best.reduce((sum, score) => sum + score, 0) / best.length >= leastSure
}

const leastSure = 0.74
