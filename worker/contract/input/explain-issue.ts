import { z } from 'zod'
import { nearestName } from './nearest-name.ts'
import { schemaAt, inputAt } from './schema-at.ts'
import { describeValue, innerSchema, valuesOf } from '../answers/wording.ts'

export type Issue = z.core.$ZodIssue

/** Marks an issue for which no schema has a message of its own; `explainIssue` then makes one. */
export const unworded = '\0'

/** Explains what is wrong with one value. The schema library's own messages never reach a client. */
export function explainIssue(issue: Issue, root: z.ZodType, input: unknown): string {
  const schema = schemaAt(root, issue.path, input)
  const given = inputAt(input, issue.path)
  const is = schema ? describeValue(schema) : 'another value'
  if (given === undefined && isOfWrongKind(issue)) return `Required: ${is}`
  if (issue.message !== unworded) return issue.message
  switch (issue.code) {
    case 'too_small':
      return `Must ${measure(issue.origin)} at least ${amount(issue.minimum, issue.origin)}`
    case 'too_big':
      return `Must ${measure(issue.origin)} at most ${amount(issue.maximum, issue.origin)}`
    default:
      return `Must be ${is}${schema ? guessReason(given, schema) : ''}`
  }
}

function isOfWrongKind({ code }: Issue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union'
}

function measure(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function amount(count: number | bigint, origin: string): string {
  if (origin === 'string') return count === 1 ? '1 character' : `${count} characters`
  if (origin === 'array') return count === 1 ? '1 entry' : `${count} entries`
  return String(count)
}

/** Guesses why a value has the wrong type: it is null, a quoted number, or a misspelt word. */
function guessReason(given: unknown, schema: z.ZodType): string {
  const inner = innerSchema(schema)
  if (given === null) return inner === schema ? '' : ', or left out; it must not be null'
  if (typeof given !== 'string') return ''
  const isQuoted =
    (inner instanceof z.ZodNumber && /^-?\d+(\.\d+)?$/.test(given)) ||
    (inner instanceof z.ZodBoolean && /^(true|false)$/.test(given))
  return isQuoted ? ', without quotes' : suggestValue(given, valuesOf(inner))
}

/** `; did you mean mp4?`, or an empty text. */
export function suggestValue(given: unknown, values: readonly string[]): string {
  const nearest = typeof given === 'string' ? nearestName(given, values) : undefined
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
