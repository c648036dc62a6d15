import { parseArgs } from 'node:util'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'

export type RequestsSettings = {
  rounds: number
  sliceMs: number
  connections: number
  /** The service's own queue consumer runs as well: what it costs is then part of the create. */
  dispatch: boolean
  /** The bare Worker writes a line for every request, as the service does. */
  bareLogs: boolean
}

/** Bounded: this is meant for the loopback of a machine that others use too. */
const numbers = {
  rounds: { fallback: 12, min: 1, max: 100 },
  'slice-ms': { fallback: 1000, min: 100, max: 10_000 },
  connections: { fallback: 8, min: 1, max: 64 },
} as const

export const requestsHelp = `Usage: npm run bench -- requests [options]

Starts the service and a bare Worker with the same hops side by side on the loopback, drives them by turns, and compares
their throughput. Takes about 90 seconds.

  --rounds N       pairs of slices for each of the two requests (default: ${numbers.rounds.fallback})
  --slice-ms N     length of one slice (default: ${numbers['slice-ms'].fallback})
  --connections N  kept-alive connections, each with one request at a time (default: ${numbers.connections.fallback})
  --dispatch       let the service's queue consumer run as well; no limit is set for creates then
  --bare-logs      let the bare Worker write a log line for every request as well
`

export function readRequestsSettings(args: readonly string[]): RequestsSettings {
  const values = parse(args)
  return {
    rounds: whole('rounds', values.rounds),
    sliceMs: whole('slice-ms', values['slice-ms']),
    connections: whole('connections', values.connections),
    dispatch: values.dispatch,
    bareLogs: values['bare-logs'],
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        rounds: { type: 'string' },
        'slice-ms': { type: 'string' },
        connections: { type: 'string' },
        dispatch: { type: 'boolean', default: false },
        'bare-logs': { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new StopWithMessage(`${message}\n\n${requestsHelp}`, 2)
  }
}

function whole(name: keyof typeof numbers, text: string | undefined): number {
  const { fallback, min, max } = numbers[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new StopWithMessage(`--${name} must be a whole number from ${min} to ${max}.`, 2)
}
