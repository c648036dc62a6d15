import type { Context } from 'hono'
import type { z } from 'zod'
import { invalidRequest, type FieldFault } from '../contract/errors.ts'
import { parseInput } from '../contract/parse-input.ts'
import type { AppEnv } from './app-env.ts'

/** The query of a request as its schema has it; every parameter may stand there once. */
export function readQuery<Schema extends z.ZodType>(
  c: Context<AppEnv>,
  schema: Schema,
): z.output<Schema> {
  const given = Object.entries(c.req.queries())
  const parsed = parseInput(
    schema,
    Object.fromEntries(given.map(([name, [value]]) => [name, value])),
  )
  const twice = given.flatMap(([name, values]): FieldFault[] =>
    values.length > 1
      ? [{ field: name.slice(0, 100), message: `Must be given once, not ${values.length} times` }]
      : [],
  )
  if (!parsed.ok || twice.length > 0)
    throw invalidRequest([...(parsed.ok ? [] : parsed.faults), ...twice])
  return parsed.value
}
