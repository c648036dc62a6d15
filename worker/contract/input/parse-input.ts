import type { z } from 'zod'
import type { FieldFault } from '../answers/errors.ts'
import { unworded } from './explain-issue.ts'
import { listFaults } from '../job/faults.ts'

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; faults: FieldFault[] }

/** The value that the schema parses from the input, or every fault of the input. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Parsed<z.output<Schema>> {
  const parsed = schema.safeParse(input, { error: () => unworded })
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, faults: listFaults(schema, parsed.error.issues, input) }
}

/** Parses a text as JSON; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
