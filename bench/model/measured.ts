import reports from './measured/reports.json' with { type: 'json' }
import rendered from './measured/render.json' with { type: 'json' }
import counted from './measured/steps.json' with { type: 'json' }

/** Written by `npm test -- test/worker/service/job-costs.test.ts -u`, which fails when a step uses more or less. */
export const { bytes } = counted
/** Written by `npm test -- test/containers/job/report-rate.test.ts -u`. */
export const { reportsAMinute } = reports
/** Written by `npm run bench -- model --render`. */
export const render = rendered

/** The items that the platform charges for. Each object is counted by itself, and every alarm is a call. */
export const nothing = {
  ...{ workerRequests: 0, gateCalls: 0, runnerCalls: 0, dispatcherCalls: 0, endpointCalls: 0 },
  ...{ objectRowsRead: 0, objectRowsWritten: 0, databaseCalls: 0, statements: 0, writingCalls: 0 },
  ...{ rowsRead: 0, rowsWritten: 0, bucketWrites: 0, bucketReads: 0, messages: 0, logLines: 0 },
}
export type Step = keyof (typeof counted)['steps']
export type Count = keyof typeof nothing
export type Counts = Readonly<Record<Count, number>>
export const countNames = Object.keys(nothing) as Count[]
/** The steps as stored: the file leaves out the items that a step does not use. */
const used: Readonly<Record<Step, Partial<Counts>>> = counted.steps

/**
 * The steps are counted with media workers that have addresses. With a container for each job, the job's message sets an alarm
 * that offers the job, and the line is told whether the container has started: `npm run simulate -- --scale` counts both.
 */
const alarmThatOffers = { runnerCalls: 1, objectRowsRead: 1, objectRowsWritten: 1 }
const toldOfStart = { dispatcherCalls: 1 }
/** In the test, the waiting job makes the dispatcher read the line, which in a real line happens once and not for each job. */
const lineIsKnown = { databaseCalls: -1, statements: -3 }
/** In the test, an alarm of the dispatcher calls two jobs and reads for both; usually the end of another job calls the next. */
const noAlarm = { dispatcherCalls: -0.5, databaseCalls: -0.5, statements: -0.5 }
const more: Partial<Record<Step, Partial<Counts>>> = {
  start: { ...alarmThatOffers, ...toldOfStart },
  wait: { ...alarmThatOffers, ...lineIsKnown },
  called: sum(toldOfStart, noAlarm),
}
export const steps = Object.fromEntries(
  Object.entries(used).map(([step, counts]) => [step, sum(counts, more[step as Step] ?? {})]),
) as Readonly<Record<Step, Counts>>

/** What happens now and then under any load; `npm run simulate -- --scale` counts it. */
const noted = { databaseCalls: 1, statements: 1, writingCalls: 1, rowsRead: 1, rowsWritten: 1 }
export const rareSteps = {
  'key noted': sum(noted, {}),
  'budgets read': sum({ databaseCalls: 1, statements: 1 }, { rowsRead: 0 }),
} satisfies Record<string, Counts>

/** The sweep looks for videos to archive account by account; its count includes the rows of the test's one account. */
export const sweptRowsOfAnAccount = 2

function sum(some: Partial<Counts>, others: Partial<Counts>): Counts {
  const of = (name: Count): number => (some[name] ?? 0) + (others[name] ?? 0)
  return Object.fromEntries(countNames.map((name) => [name, of(name)])) as Counts
}
