import { zValidator } from '@hono/zod-validator'
import type { z } from 'zod'
import { invalidRequest, type FieldFault } from '../contract/errors.ts'
import { parseInput } from '../contract/parse-input.ts'

/** Checks a query with its schema before the handler sees it; every parameter may stand there once. */
export function checkQuery<Schema extends z.ZodType>(schema: Schema) {
  return zValidator('query', schema, (result, c) => {
    const given = c.req.queries()
    const twice = givenTwice(given)
    if (result.success && twice.length === 0) return
    // What is wrong is said in words of the service, which know the schema.
    const parsed = parseInput(schema, firstOfEach(given))
    throw invalidRequest([...(parsed.ok ? [] : parsed.faults), ...twice])
  })
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
