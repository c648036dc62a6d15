import { readOptions, wholeOption } from '../read-options.ts'

export type RequestsSettings = {
  rounds: number
  sliceMs: number
  connections: number
  /** Whether the service's own queue consumer runs as well; its cost is then part of a create. */
  dispatch: boolean
  /** Whether the bare Worker writes a log line for every request, as the service does. */
  bareLogs: boolean
}

/** The numbers are limited, because this runs on the loopback of a machine that others use too. */
const numbers = {
  rounds: { fallback: 12, min: 1, max: 100 },
  'slice-ms': { fallback: 1000, min: 100, max: 10_000 },
  connections: { fallback: 8, min: 1, max: 64 },
} as const

export const requestsHelp = `Usage: npm run bench -- requests [options]

Starts the service, a bare Worker with the same hops, and the service in wrangler dev side by side on the loopback, drives
them by turns, and compares their throughput and processor time. Takes about two minutes.

  --rounds N       pairs of slices for each of the two requests (default: ${numbers.rounds.fallback})
  --slice-ms N     length of one slice (default: ${numbers['slice-ms'].fallback})
  --connections N  kept-alive connections, each with one request at a time (default: ${numbers.connections.fallback})
  --dispatch       let the service's queue consumer run as well; no limit is set for creates then
  --bare-logs      let the bare Worker write a log line for every request as well
`

export function readRequestsSettings(args: readonly string[]): RequestsSettings {
  const values = readOptions(
    args,
    {
      rounds: { type: 'string' },
      'slice-ms': { type: 'string' },
      connections: { type: 'string' },
      dispatch: { type: 'boolean', default: false },
      'bare-logs': { type: 'boolean', default: false },
    },
    requestsHelp,
  )
  return {
    rounds: wholeOption('rounds', values.rounds, numbers.rounds),
    sliceMs: wholeOption('slice-ms', values['slice-ms'], numbers['slice-ms']),
    connections: wholeOption('connections', values.connections, numbers.connections),
    dispatch: values.dispatch,
    bareLogs: values['bare-logs'],
  }
}
