/** `at`: the place in the order of turns. `last`: that of the job of this account before it. */
export type Candidate = { at: number; last: number; createdAt: number }

/** Of those at one place, who has waited for a turn longest goes first: a new account before all that had one. */
export function compare(a: Candidate, b: Candidate): number {
  return a.at - b.at || a.last - b.last || a.createdAt - b.createdAt
}
