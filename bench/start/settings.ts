import { readOptions, wholeOption } from '../read-options.ts'

export type StartSettings = { rounds: number }

const rounds = { fallback: 5, min: 1, max: 50 } as const

export const startHelp = `Usage: npm run bench -- start [options]

Runs npm start again and again on this checkout, on a port and in a folder of its own: how long until it is healthy, and
how much memory each of its processes takes once it idles. The first start, which bundles and migrates, is shown and not
judged. Takes about a minute.

  --rounds N  starts that are judged (default: ${rounds.fallback})
`

export function readStartSettings(args: readonly string[]): StartSettings {
  const values = readOptions(args, { rounds: { type: 'string' } }, startHelp)
  return { rounds: wholeOption('rounds', values.rounds, rounds) }
}
