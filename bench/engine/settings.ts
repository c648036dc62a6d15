import { parseArgs } from 'node:util'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'

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
  const values = parse(args)
  return { rounds: whole('rounds', values.rounds), seconds: whole('seconds', values.seconds) }
}

function parse(args: readonly string[]) {
  try {
    const options = { rounds: { type: 'string' }, seconds: { type: 'string' } } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new StopWithMessage(`${message}\n\n${engineHelp}`, 2)
  }
}

function whole(name: keyof typeof numbers, text: string | undefined): number {
  const { fallback, min, max } = numbers[name]
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new StopWithMessage(`--${name} must be a whole number from ${min} to ${max}.`, 2)
}
