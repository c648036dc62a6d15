type States = {
  readonly states: number
  /** How well a state explains a step. */
  readonly score: (state: number, step: number) => number
  /** What a change from one state to another costs. */
  readonly turnCost: number
}

/** The state of each step, so that the scores less the costs of all changes are the most. Changes come as late as they may. */
export function likeliestPath(
  steps: number,
  { states, score, turnCost }: States,
): readonly number[] {
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
