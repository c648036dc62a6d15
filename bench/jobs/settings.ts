import { readOptions, wholeOption } from '../read-options.ts'

export type JobsSettings = { jobs: number; clients: number; singles: number }

/** The numbers are limited, because this runs on the loopback of a machine that others use too. */
const numbers = {
  jobs: { fallback: 60, min: 2, max: 1000 },
  clients: { fallback: 20, min: 1, max: 64 },
  singles: { fallback: 5, min: 1, max: 50 },
} as const

export const jobsHelp = `Usage: npm run bench -- jobs [options]

Starts the service as npm start does, with one media worker, and has it process tiny clips: first one after the other,
then all at once. Takes a minute or two.

  --jobs N     jobs created at once (default: ${numbers.jobs.fallback})
  --clients N  clients that create them in parallel (default: ${numbers.clients.fallback})
  --singles N  jobs before that, each alone in the service (default: ${numbers.singles.fallback})
`

export function readJobsSettings(args: readonly string[]): JobsSettings {
  const values = readOptions(
    args,
    { jobs: { type: 'string' }, clients: { type: 'string' }, singles: { type: 'string' } },
    jobsHelp,
  )
  return {
    jobs: wholeOption('jobs', values.jobs, numbers.jobs),
    clients: wholeOption('clients', values.clients, numbers.clients),
    singles: wholeOption('singles', values.singles, numbers.singles),
  }
}
