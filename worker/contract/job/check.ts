import { z } from 'zod'

/** What is checked in each finished film; `docs/checks.md` explains each check. */
const checkNames = [
  'length',
  'size',
  'decoding',
  'seams',
  'pictures',
  'black',
  'frozen',
  'silence',
  'channels',
  'sync',
  'loudness',
  'captions',
  'title-safe',
  'colors',
  'playback',
] as const

/** From good to bad. */
export const checkResults = ['passed', 'warned', 'failed'] as const
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

/** Pictures of some places where a check was not passed, among the files of a video. */
export const stillKinds = [
  'check-1',
  'check-2',
  'check-3',
  'check-4',
  'check-5',
  'check-6',
] as const
export type StillKind = (typeof stillKinds)[number]

/** A check as a media worker reports it. */
export const check = z.object({ ...told, still: z.enum(stillKinds).optional().catch(undefined) })
export type Check = z.infer<typeof check>

/** A check as a record shows it. */
export const shownCheck = z.object({
  ...told,
  stillUrl: z.url().optional().describe('A picture of that place in the result, a JPEG'),
})
export type ShownCheck = z.infer<typeof shownCheck>

export function worstOf(checks: readonly Pick<Check, 'result'>[]): (typeof checkResults)[number] {
  const place = Math.max(0, ...checks.map(({ result }) => checkResults.indexOf(result)))
  return checkResults[place] ?? 'passed'
}
