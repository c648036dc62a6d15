import {
  countNames,
  rareSteps,
  steps,
  sweptRowsOfAnAccount,
  type Count,
  type Counts,
  type Step,
} from '../../bench/model/measured.ts'
import type { RowsOfD1 } from './rows-of-d1.ts'

/** A figure of the simulated day beside that of the model; `off`: their difference as a share of the model's. */
export type Compared = { name: string; model: number; simulated: number; off: number }

/** If the two differ by more, one of them is wrong. */
export const mostOff = 0.05
/** With fewer videos, too much of the work lies before or after the window. */
const leastCreated = 10

/** A job that stood in line begins when the line calls it, which takes other steps than those of a job that found a slot. */
const calledInstead = Object.fromEntries(
  countNames.map((name) => [name, steps.called[name] - steps.start[name]]),
) as Counts
const known: Readonly<Record<Step | keyof typeof rareSteps | 'called instead', Counts>> = {
  ...steps,
  ...rareSteps,
  'called instead': calledInstead,
}
const intoLine = /^update "jobs" set "sweep_after" = \?, "waits" = "jobs"\."waits" \+ 1/

/** The statement by which each step is recognised. A job that goes into the line is called later. */
const knownBy: readonly (readonly [RegExp, keyof typeof known])[] = [
  [/^insert into videos/i, 'create'],
  [/^insert into "job_attempts"/, 'start'],
  [intoLine, 'wait'],
  [intoLine, 'called instead'],
  // An attempt that succeeds ends with its video.
  [/^update "job_attempts" set .* and "job_attempts"\."finished_at" is null\)$/, 'attempt failed'],
  [/^select .* from "videos" where \(.*"videos"\."work" = \?/, 'fetched'],
  [/^update "videos" set "progress_percent" = max/, 'phase'],
  [/^insert into "webhook_events"/, 'end'],
  [/^update "webhook_deliveries" set "status"/, 'webhook'],
  [/^update "api_keys"/, 'key noted'],
  // Any status.
  [/^select "videos"\."id", "videos"\."account_id"/, 'read, ended'],
  [/^SELECT id, budget FROM accounts/, 'budgets read'],
]

/** The rows that D1 counted beside those of the model for the same steps; with few videos, only those of the sweep. */
export function compareRows(
  { statements, swept, videos }: RowsOfD1,
  { minutes, accounts }: { minutes: number; accounts: number },
): Compared[] {
  const times = knownBy.map(([pattern, step]) => {
    const found = [...statements].filter(([sql]) => pattern.test(sql))
    return [step, found.reduce((sum, [, { count }]) => sum + count, 0)] as const
  })
  const creates = times[0]?.[1] ?? 0
  const of = (count: Count): number =>
    times.reduce((sum, [step, n]) => sum + n * known[step][count], 0)
  const sum = (asked: typeof statements, what: 'count' | 'read' | 'written'): number =>
    [...asked.values()].reduce((total, rows) => total + rows[what], 0)
  const beside = `with ${videos.toLocaleString('en-US')} videos`
  const ofVideos = (
    [
      ['statements', 'statements', 'count'],
      ['rows read', 'rowsRead', 'read'],
      ['rows written', 'rowsWritten', 'written'],
    ] as const
  ).map(([name, count, what]) =>
    compared(`${name}, ${beside}`, of(count) / creates, sum(statements, what) / creates),
  )
  const bySweep = compared(
    `rows read by a sweep, ${beside}`,
    steps.sweep.rowsRead + sweptRowsOfAnAccount * (accounts - 1),
    sum(swept, 'read') / minutes,
  )
  return creates < leastCreated ? [bySweep] : [...ofVideos, bySweep]
}

function compared(name: string, model: number, simulated: number): Compared {
  const off = model === 0 ? (simulated === 0 ? 0 : Infinity) : simulated / model - 1
  return { name, model, simulated, off }
}
