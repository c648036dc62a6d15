import { firstPlace } from '../../../worker/contract/first-place.ts'
import { sharedOfSmaller } from '../faces/face-boxes.ts'
import type { Box } from '../../numbers/picture-box.ts'
import type { SeenPerson } from '../../timeline/seen-shots.ts'
import { moreThanOthers, stepSeconds, type WatchedShot } from './watch-shot.ts'
import { meanOf } from '../../numbers/mean.ts'

/** Who speaks, in the time of the pictures. */
export type SaidSpan = {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly speaker: string
}

/** How much the recognised voice may count in relation to the mouths. */
const mostLeaning = 0.6
/** A face that moves this much more than usual whenever a voice is heard belongs to that voice. */
const surely = 0.3
/** A voice that was heard for less than this while a face was seen tells little about it. */
const leastSeconds = 3

type Sum = { readonly more: number; readonly seconds: number }

/**
 * For each person of each shot, and each moment, how much the recognised voice suggests that this person speaks: the mouth of a
 * face moves more when its voice is heard than when others are, in all shots that show it at the same place.
 */
export function leanings(
  shots: readonly WatchedShot[],
  said: readonly SaidSpan[],
): (readonly Float32Array[])[] {
  const known = knownFaces(shots)
  const heard = speakersIn(shots, said)
  const sums = new Map<number | undefined, Map<string, Sum>>()
  const add = (shot: WatchedShot, step: number, speaker: string): void => {
    for (const [who, person] of shot.people.entries()) {
      const face = known.get(person)
      const own = sums.get(face) ?? new Map<string, Sum>()
      const { more, seconds } = own.get(speaker) ?? { more: 0, seconds: 0 }
      const moved = moreThanOthers(shot.moves, who, step) * stepSeconds
      sums.set(face, own.set(speaker, { more: more + moved, seconds: seconds + stepSeconds }))
    }
  }
  for (const [i, shot] of shots.entries()) {
    if (shot.moves.length < 2) continue
    for (const [step, speaker] of (heard[i] ?? []).entries()) {
      if (speaker !== undefined && shot.levels[step] !== 0) add(shot, step, speaker)
    }
  }
  const leaning = new Map([...sums].map(([face, own]) => [face, leaningsOf(own)]))
  return shots.map((shot, i) =>
    shot.people.map((person) => {
      const own = leaning.get(known.get(person))
      return Float32Array.from(heard[i] ?? [], (speaker) => own?.get(speaker) ?? 0)
    }),
  )
}

/** How much each voice suggests a face, in comparison with all others: a single voice tells nothing. */
function leaningsOf(sums: ReadonlyMap<string, Sum>): Map<string | undefined, number> {
  const usual = [...sums].map(([speaker, { more, seconds }]) => {
    return { speaker, more: more / Math.max(leastSeconds, seconds) }
  })
  const mean = meanOf(usual.map(({ more }) => more))
  return new Map(
    usual.map(({ speaker, more }) => {
      return [speaker, mostLeaning * Math.min(1, Math.max(-1, (more - mean) / surely))]
    }),
  )
}

/** Who is heard at each moment of each shot. */
function speakersIn(
  shots: readonly WatchedShot[],
  said: readonly SaidSpan[],
): (string | undefined)[][] {
  const spans = said.toSorted((a, b) => a.startSeconds - b.startSeconds)
  let reached = 0
  /** When all spans up to each of them have ended. */
  const ends = Float64Array.from(
    spans,
    ({ endSeconds }) => (reached = Math.max(reached, endSeconds)),
  )
  return shots.map((shot) => {
    const first = firstPlace(ends.length, (at) => (ends[at] ?? 0) > shot.startSeconds)
    const next = firstPlace(spans.length, (at) => (spans[at]?.startSeconds ?? 0) >= shot.endSeconds)
    return speakersAt(shot, spans.slice(first, next))
  })
}

function speakersAt(shot: WatchedShot, said: readonly SaidSpan[]): (string | undefined)[] {
  const at: (string | undefined)[] = Array.from({ length: shot.levels.length })
  for (const { startSeconds, endSeconds, speaker } of said) {
    const from = Math.max(0, Math.round((startSeconds - shot.startSeconds) / stepSeconds))
    const to = Math.min(at.length, Math.round((endSeconds - shot.startSeconds) / stepSeconds))
    if (to > from) at.fill(speaker, from, to)
  }
  return at
}

/** Boxes that share this much of the smaller one, in shots with the same number of people, show the same person. */
const samePlace = 0.6

/** A number for each person: the same in all shots in which as many people sit where they sat before. */
function knownFaces(shots: readonly WatchedShot[]): Map<SeenPerson, number> {
  const settings: Box[][] = []
  const numbers = new Map<SeenPerson, number>()
  let count = 0
  const firsts: number[] = []
  for (const shot of shots) {
    if (shot.people.length < 2) continue
    const people = shot.people.toSorted((a, b) => middleOf(a).left - middleOf(b).left)
    const boxes = people.map(middleOf)
    const same = settings.findIndex(
      (setting) =>
        setting.length === boxes.length &&
        setting.every((box, i) => boxes[i] && sharedOfSmaller(box, boxes[i]) >= samePlace),
    )
    if (same < 0) {
      settings.push(boxes)
      firsts.push(count)
      count += boxes.length
    }
    const first = firsts.at(same) ?? 0
    for (const [i, person] of people.entries()) numbers.set(person, first + i)
  }
  return numbers
}

function middleOf(person: SeenPerson): Box {
  const mean = (side: keyof Box): number => meanOf(person.map((place) => place[side]))
  return { left: mean('left'), top: mean('top'), right: mean('right'), bottom: mean('bottom') }
}
