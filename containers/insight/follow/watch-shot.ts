import { mainPeople } from '../../render/frame/main-people.ts'
import type { HeardVoice, SeenPerson, SeenPlace, SeenShot } from '../../timeline/seen-shots.ts'

/** The distance of moments, in seconds. */
export const stepSeconds = 0.1
/** A reading counts for moments this near. */
const nearSeconds = 0.2
/** A stronger movement does not mean that a mouth speaks more. */
const mostMoved = 1.5

/** The measurements of a shot at each of its moments. */
export type WatchedShot = {
  readonly startSeconds: number
  readonly endSeconds: number
  readonly people: readonly SeenPerson[]
  /** How loudly somebody speaks, 0 … 1. */
  readonly levels: Float32Array
  /** How much the mouth of each of the people moves. */
  readonly moves: readonly Float32Array[]
}

export function watchShot(shot: SeenShot, voice: HeardVoice): WatchedShot {
  const { startSeconds, endSeconds } = shot
  const people = mainPeople(shot).map(({ person }) => person)
  const steps = Math.max(1, Math.ceil((endSeconds - startSeconds) / stepSeconds))
  const levels = Float32Array.from({ length: steps }, (_, step) =>
    levelAt(voice, startSeconds + (step + 0.5) * stepSeconds),
  )
  const moves =
    people.length < 2 ? [] : people.map((person) => overUsual(movesOf(person, shot, steps), levels))
  return { startSeconds, endSeconds, people, levels, moves }
}

/** Silence begins this long after a word, because a mouth closes after it. */
const afterWord = Math.round(0.4 / stepSeconds)
/** A shorter silence tells little. */
const leastSilence = Math.round(0.5 / stepSeconds)

/** A mouth that also moves while nobody speaks, as when chewing, has to move more. */
function overUsual(moves: Float32Array, levels: Float32Array): Float32Array {
  const silent = moves.filter((_, step) =>
    levels.subarray(Math.max(0, step - afterWord), step + afterWord + 1).every((one) => one === 0),
  )
  const usual = silent.reduce((sum, moved) => sum + moved, 0) / (silent.length + leastSilence)
  return moves.map((moved) => Math.max(0, moved - usual))
}

function levelAt({ levels, stepSeconds: step }: HeardVoice, seconds: number): number {
  const [from, to] = [seconds - stepSeconds, seconds + stepSeconds]
  const heard = levels.subarray(Math.max(0, Math.floor(from / step)), Math.ceil(to / step))
  return heard.reduce((most, level) => Math.max(most, level), 0)
}

/** While a face is not watched, its mouth counts as still. A reading in the next shot comes from the cut, not from a mouth. */
function movesOf(
  person: SeenPerson,
  { startSeconds, endSeconds }: SeenShot,
  steps: number,
): Float32Array {
  const sums = new Float32Array(steps)
  const counts = new Float32Array(steps)
  for (const { seconds, moved } of person.flatMap(readingsOf)) {
    if (seconds >= endSeconds) continue
    const first = Math.ceil((seconds - nearSeconds - startSeconds) / stepSeconds)
    const last = Math.floor((seconds + nearSeconds - startSeconds) / stepSeconds)
    for (let step = Math.max(0, first); step <= Math.min(steps - 1, last); step++) {
      sums[step] = (sums[step] ?? 0) + Math.min(mostMoved, moved)
      counts[step] = (counts[step] ?? 0) + 1
    }
  }
  return sums.map((sum, step) => sum / Math.max(1, counts[step] ?? 0))
}

function readingsOf({ seconds, mouth }: SeenPlace): { seconds: number; moved: number }[] {
  if (!mouth) return []
  return mouth.moved.map((moved, i) => ({ seconds: seconds + (i + 1) * mouth.everySeconds, moved }))
}

/** By how much the movement of a mouth stands out from all others, at one moment. */
export function moreThanOthers(moves: readonly Float32Array[], who: number, step: number): number {
  const others = moves.map((one, i) => (i === who ? 0 : (one[step] ?? 0)))
  return (moves[who]?.[step] ?? 0) - Math.max(...others)
}
