import { zValidator } from '@hono/zod-validator'
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
  const found: z.output<Schema>[] = []
  const check = zValidator('query', schema, (result) => {
    const given = c.req.queries()
    const twice = givenTwice(given)
    if (result.success && twice.length === 0) {
      found.push(result.data)
      return
    }
    // The service's own parser explains the faults in its own words.
    const parsed = parseInput(schema, firstOfEach(given))
    throw invalidRequest([...(parsed.ok ? [] : parsed.faults), ...twice])
  })
  // The validator looks only at the query, and knows nothing of this service's bindings.
  await check(c as unknown as Parameters<typeof check>[0], async () => undefined)
  const [value] = found
  return value as z.output<Schema>
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
