import type { SeenPeople, SpeakingTurn } from '../../timeline/seen-shots.ts'
import { leanings, type SaidSpan } from './match-voices.ts'
import { moreThanOthers, stepSeconds, watchShot, type WatchedShot } from './watch-shot.ts'

/** How much more than all others a mouth has to move while somebody speaks. */
const leastMore = 0.12
/** How much more a mouth has to move, added up over the steps of a turn, for another one to begin. */
const turnCost = 2.5
/** Turns are at least this long. */
const leastTurnSeconds = 1
/** A shorter uncertain stretch is shown like its surroundings. */
const mostUncertainSeconds = 2.5

/** Adds to each shot of several people who speaks in it, where that can be told. */
export function tellTurns(seen: SeenPeople, said: readonly SaidSpan[] = []): SeenPeople {
  const { voice } = seen
  if (!voice) return seen
  const watched = seen.shots.map((shot) => watchShot(shot, voice))
  const leaning = leanings(watched, said)
  return {
    ...seen,
    shots: seen.shots.map((shot, i) => {
      const seenShot = watched[i]
      return { ...shot, turns: seenShot ? turnsOf(seenShot, leaning[i] ?? []) : [] }
    }),
  }
}

function turnsOf(shot: WatchedShot, leaning: readonly Float32Array[]): SpeakingTurn[] {
  const { people, levels, moves } = shot
  if (people.length < 2) return []
  const nobody = people.length
  const score = (state: number, step: number): number => {
    const level = levels[step] ?? 0
    // In silence, the last speaker keeps the turn.
    if (level === 0) return 0
    if (state === nobody) return leastMore
    const leans = leaning[state]?.[step] ?? 0
    return (0.5 + 0.5 * level) * moreThanOthers(moves, state, step) + leans
  }
  const path = likeliestPath(levels.length, { states: nobody + 1, score, turnCost })
  const stretches = stretchesOf(path, shot)
  return settled(stretches, nobody, shot).map(({ state, startSeconds, endSeconds }) => {
    const who = people[state]
    return { startSeconds, endSeconds, ...(who && { who }) }
  })
}

type TurnState = {
  readonly state: number
  readonly startSeconds: number
  readonly endSeconds: number
  /** Whether somebody speaks in it. */
  readonly isHeard: boolean
}

function stretchesOf(path: readonly number[], shot: WatchedShot): TurnState[] {
  const stretches: TurnState[] = []
  for (let from = 0; from < path.length;) {
    let to = from
    while (to < path.length && path[to] === path[from]) to += 1
    stretches.push({
      state: path[from] ?? 0,
      startSeconds: shot.startSeconds + from * stepSeconds,
      endSeconds: to === path.length ? shot.endSeconds : shot.startSeconds + to * stepSeconds,
      isHeard: shot.levels.subarray(from, to).some((level) => level > 0),
    })
    from = to
  }
  return stretches
}

/** Joins short and silent stretches to their neighbours; nothing if no speaker is known. */
function settled(
  stretches: readonly TurnState[],
  nobody: number,
  { startSeconds, endSeconds }: WatchedShot,
): TurnState[] {
  const kept = stretches.filter(({ state, isHeard, ...span }) => {
    const seconds = span.endSeconds - span.startSeconds
    const least = state === nobody ? mostUncertainSeconds : leastTurnSeconds
    return isHeard && seconds >= Math.min(least, endSeconds - startSeconds)
  })
  if (kept.every(({ state }) => state === nobody)) return []
  const joined: TurnState[] = []
  for (const stretch of kept) {
    if (joined.at(-1)?.state !== stretch.state) joined.push(stretch)
  }
  return joined.map((stretch, i) => ({
    ...stretch,
    startSeconds: i === 0 ? startSeconds : stretch.startSeconds,
    endSeconds: joined[i + 1]?.startSeconds ?? endSeconds,
  }))
}

type States = {
  readonly states: number
  /** How well a state explains a step. */
  readonly score: (state: number, step: number) => number
  /** What a change from one state to another costs. */
  readonly turnCost: number
}

/** The state of each step with the highest scores less the costs of all changes. Changes come as late as possible. */
function likeliestPath(steps: number, { states, score, turnCost }: States): readonly number[] {
  const cameFrom: Int32Array[] = []
  let sums = Float64Array.from({ length: states }, (_, state) => score(state, 0))
  for (let step = 1; step < steps; step++) {
    const best = sums.indexOf(Math.max(...sums))
    const before = sums
    const from = new Int32Array(states)
    sums = Float64Array.from({ length: states }, (_, state) => {
      const [stay, turn] = [before[state] ?? 0, (before[best] ?? 0) - turnCost]
      const isTurn = best !== state && turn >= stay
      from[state] = isTurn ? best : state
      return (isTurn ? turn : stay) + score(state, step)
    })
    cameFrom.push(from)
  }
  const path = [sums.indexOf(Math.max(...sums))]
  for (const from of cameFrom.toReversed()) path.push(from[path.at(-1) ?? 0] ?? 0)
  return path.reverse()
}
