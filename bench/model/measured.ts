import reports from './measured/reports.json' with { type: 'json' }
import rendered from './measured/render.json' with { type: 'json' }
import counted from './measured/steps.json' with { type: 'json' }

/** Written by `npm test -- test/worker/service/job-costs.test.ts -u`, which fails when a step uses more or less. */
export const { bytes } = counted
/** Written by `npm test -- test/containers/job/report-rate.test.ts -u`. */
export const { reportsAMinute } = reports
/** Written by `npm run bench -- model --render`. */
export const render = rendered

export type Step = keyof (typeof counted)['steps']
/** What a step can use; test/support/worker/platform/count-costs.ts counts it. */
export type Count = keyof (typeof counted)['steps']['create']
export type Counts = Readonly<Record<Count, number>>

/**
 * The steps are counted with media workers that have addresses. Where each job has a container, its message sets an alarm that
 * offers the job, and the line is told whether the container has started: `npm run simulate -- --scale` counts both.
 */
const alarmThatOffers = { runnerCalls: 1, objectRowsRead: 1, objectRowsWritten: 1 }
const toldOfStart = { dispatcherCalls: 1 }
export const steps: Readonly<Record<Step, Counts>> = {
  ...counted.steps,
  start: plus(counted.steps.start, { ...alarmThatOffers, ...toldOfStart }),
  wait: plus(counted.steps.wait, alarmThatOffers),
  called: plus(counted.steps.called, toldOfStart),
}

/** The sweep looks for videos to archive account by account. The account that it was counted with is among its rows. */
export const sweptRowsOfAnAccount = 2

function plus(counts: Counts, more: Partial<Counts>): Counts {
  const sum = { ...counts }
  for (const name of Object.keys(more) as Count[]) sum[name] += more[name] ?? 0
  return sum
}
export const countNames = Object.keys(steps.create) as Count[]
