import { z } from 'zod'

/** What is looked at in each finished film. `docs/checks.md` says what each of them means. */
export const checkNames = [
  'length',
  'decoding',
  'seams',
  'black',
  'frozen',
  'silence',
  'sync',
  'loudness',
  'captions',
  'colors',
  'playback',
] as const
export type CheckName = (typeof checkNames)[number]

/** From good to bad. */
export const checkResults = ['passed', 'warned', 'failed'] as const
type CheckResult = (typeof checkResults)[number]

const told = {
  name: z.enum(checkNames).describe('What was looked at'),
  result: z.enum(checkResults).describe('`warned` keeps the result; see `message`'),
  message: z.string().max(300).describe('What was found, for people'),
  stretch: z
    .object({
      startTime: z.number().describe('Second of the result'),
      endTime: z.number().describe('Second of the result'),
    })
    .optional()
    .describe('Where in the result, if it is only a part of it'),
}

/** As a media worker reports it, and as a record shows it. */
export const check = z.object(told)
export type Check = z.infer<typeof check>

export function worstOf(checks: readonly Pick<Check, 'result'>[]): CheckResult {
  const place = Math.max(0, ...checks.map(({ result }) => checkResults.indexOf(result)))
  return checkResults[place] ?? 'passed'
}
