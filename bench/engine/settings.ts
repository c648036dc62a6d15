import { readOptions, wholeOption } from '../read-options.ts'

export type EngineSettings = { rounds: number; seconds: number }

const numbers = {
  rounds: { fallback: 5, min: 1, max: 50 },
  seconds: { fallback: 8, min: 4, max: 120 },
} as const

export const engineHelp = `Usage: npm run bench -- engine [options]

Renders eight representative jobs, by turns as the media worker does and with one command written by hand for the same
result, and once as a chain of commands that treats one option after the other. Takes about five minutes.

  --rounds N   pairs of renders for each job (default: ${numbers.rounds.fallback})
  --seconds N  length of the clips (default: ${numbers.seconds.fallback})
`

export function readEngineSettings(args: readonly string[]): EngineSettings {
  const values = readOptions(
    args,
    { rounds: { type: 'string' }, seconds: { type: 'string' } },
    engineHelp,
  )
  return {
    rounds: wholeOption('rounds', values.rounds, numbers.rounds),
    seconds: wholeOption('seconds', values.seconds, numbers.seconds),
  }
}
