import { parseArgs, type ParseArgsConfig } from 'node:util'
import { StopWithMessage } from '../scripts/machine/stop-with-message.ts'

export type WholeRange = { fallback: number; min: number; max: number }

/** Parses the options of a benchmark; an unknown option prints its help. */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
  help: string,
) {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new StopWithMessage(`${message}\n\n${help}`, 2)
  }
}

export function wholeOption(
  name: string,
  text: string | undefined,
  { fallback, min, max }: WholeRange,
): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new StopWithMessage(`--${name} must be a whole number from ${min} to ${max}.`, 2)
}
