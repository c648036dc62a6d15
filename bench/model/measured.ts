import reports from './measured/reports.json' with { type: 'json' }
import rendered from './measured/render.json' with { type: 'json' }
import counted from './measured/steps.json' with { type: 'json' }

/** Written by `npm test -- test/worker/service/job-costs.test.ts -u`, which fails when a step uses more or less. */
export const { steps, bytes } = counted
/** Written by `npm test -- test/containers/job/report-rate.test.ts -u`. */
export const { reportsAMinute } = reports
/** Written by `npm run bench -- model --render`. */
export const render = rendered

export type Step = keyof typeof steps
/** What a step can use; test/support/worker/platform/count-costs.ts counts it. */
export type Count = keyof (typeof steps)['create']
export type Counts = Readonly<Record<Count, number>>
export const countNames = Object.keys(steps.create) as Count[]
