import { readOptions, wholeOption } from '../read-options.ts'

export type LinksSettings = { rounds: number; megabytes: number; ranges: number }

const numbers = {
  rounds: { fallback: 6, min: 1, max: 50 },
  megabytes: { fallback: 256, min: 1, max: 2048 },
  ranges: { fallback: 1000, min: 10, max: 100_000 },
} as const

export const linksHelp = `Usage: npm run bench -- links [options]

Downloads a finished file by its link, whole and in parts, and the same bytes from the bucket alone in the same runtime, by
turns. Counts the statements that links ask of the database. Takes about a minute.

  --rounds N     downloads of each kind (default: ${numbers.rounds.fallback})
  --megabytes N  size of the file (default: ${numbers.megabytes.fallback})
  --ranges N     requests for parts in a round (default: ${numbers.ranges.fallback})
`

export function readLinksSettings(args: readonly string[]): LinksSettings {
  const text = { type: 'string' } as const
  const values = readOptions(args, { rounds: text, megabytes: text, ranges: text }, linksHelp)
  return {
    rounds: wholeOption('rounds', values.rounds, numbers.rounds),
    megabytes: wholeOption('megabytes', values.megabytes, numbers.megabytes),
    ranges: wholeOption('ranges', values.ranges, numbers.ranges),
  }
}
