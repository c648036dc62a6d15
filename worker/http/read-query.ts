import type { Context } from 'hono'
import type { z } from 'zod'
import { invalidRequest, type FieldFault } from '../contract/answers/errors.ts'
import { parseInput } from '../contract/input/parse-input.ts'
import type { AppEnv } from './app-env.ts'

/** Parses the query by its schema. Every parameter may be given once. */
export async function readQuery<Schema extends z.ZodType>(
  c: Context<AppEnv>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const given = c.req.queries()
  const twice = givenTwice(given)
  const parsed = parseInput(schema, firstOfEach(given))
  if (parsed.ok && twice.length === 0) return parsed.value
  throw invalidRequest([...(parsed.ok ? [] : parsed.faults), ...twice])
}

function firstOfEach(given: Readonly<Record<string, string[]>>) {
  return Object.fromEntries(Object.entries(given).map(([name, [value]]) => [name, value]))
}

function givenTwice(given: Readonly<Record<string, string[]>>): FieldFault[] {
  return Object.entries(given).flatMap(([name, { length }]) =>
    length > 1
      ? [{ field: name.slice(0, 100), message: `Must be given once, not ${length} times` }]
      : [],
  )
}
