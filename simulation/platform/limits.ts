import { here } from '../engine/life.ts'

/** The limits of the platform's paid plan. */
export const platformLimits = {
  statements: 1_000,
  subrequests: 10_000,
  parameters: 100,
  statementBytes: 100_000,
  rowBytes: 2_000_000,
  storedBytes: 2_000_000,
  messageBytes: 128_000,
  batchMessages: 100,
  delaySeconds: 43_200,
  objectKeyBytes: 1_024,
  objectsDeleted: 1_000,
} as const

type Limit = keyof typeof platformLimits

/** Tells the world when a limit is exceeded: that is a fault even where the service catches the error. */
export function holdLimit(limit: Limit, amount: number, tell: (broken: string) => void): void {
  if (amount <= platformLimits[limit]) return
  const fault = `${here().name}: ${limit} ${amount}, of at most ${platformLimits[limit]}`
  tell(fault)
  throw new Error(fault)
}

/** Counts a call that leaves the running code. */
export function countUse(what: 'statements' | 'subrequests', tell: (broken: string) => void): void {
  const { used } = here()
  used[what]++
  holdLimit(what, used[what], tell)
}
