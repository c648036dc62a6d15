import { parseArgs } from 'node:util'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'

export type JobsSettings = { jobs: number; clients: number; singles: number }

/** Bounded: this is meant for the loopback of a machine that others use too. */
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
  const values = parse(args)
  return {
    jobs: whole('jobs', values.jobs),
    clients: whole('clients', values.clients),
    singles: whole('singles', values.singles),
  }
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const options = { jobs: text, clients: text, singles: text }
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new StopWithMessage(`${message}\n\n${jobsHelp}`, 2)
  }
}

function whole(name: keyof typeof numbers, text: string | undefined): number {
  const { fallback, min, max } = numbers[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new StopWithMessage(`--${name} must be a whole number from ${min} to ${max}.`, 2)
}
