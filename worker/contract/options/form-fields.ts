import type { z } from 'zod'
import { parseJsonBody } from '../input/read-json.ts'
import { nearestName } from '../input/nearest-name.ts'
import { innerSchema, possibleValues } from '../answers/wording.ts'

/**
 * Decodes form fields, which arrive as text, by the schema of each field: booleans from `true` and `false`, numbers
 * from plain decimals, literals from the spelling of their value, strings as they are, and everything else from JSON.
 * Text that cannot be decoded stays text, so that the schema refuses it and names the field.
 */
export function decodeFormFields(
  schema: z.ZodObject,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  const known = Object.keys(schema.shape)
  for (const [name, text] of Object.entries(fields)) {
    // A misspelt field is refused, and a fault of its value is reported as well.
    const field = fieldOf(schema, name) ?? fieldOf(schema, nearestName(name, known) ?? '')
    decoded[name] = field ? decodeText(text, field).value : text
  }
  return decoded
}

function fieldOf({ shape }: z.ZodObject, name: string): z.ZodType | undefined {
  return Object.hasOwn(shape, name) ? (shape[name] as z.ZodType | undefined) : undefined
}

/** Explains to the sender of a form why a field could not be decoded; undefined if it could. */
export function explainMisread(
  schema: z.ZodObject,
  name: string,
  text: string,
): string | undefined {
  const field = fieldOf(schema, name)
  if (!field || decodeText(text, field).value !== text) return undefined
  switch (kindOf(field)) {
    case 'boolean':
      return 'Must be true or false'
    case 'number':
      return 'Must be a number in plain decimals, such as 50'
    case 'string':
    case 'enum':
    case 'literal':
      return undefined
    default: {
      const parsed = parseJsonBody(text)
      return parsed.ok || !/^\s*[[{]/.test(text) ? undefined : parsed.fault.message
    }
  }
}

function decodeText(text: string, field: z.ZodType): { value: unknown } {
  switch (kindOf(field)) {
    case 'string':
    case 'enum':
      return { value: text }
    case 'literal':
      return { value: possibleValues(field).find((value) => String(value) === text) ?? text }
    case 'boolean':
      return { value: text === 'true' ? true : text === 'false' ? false : text }
    case 'number':
      return { value: /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text }
    default:
      return { value: parseJsonOrText(text) }
  }
}

function kindOf(field: z.ZodType): z.ZodType['def']['type'] {
  return innerSchema(field).def.type
}

function parseJsonOrText(text: string): unknown {
  const parsed = parseJsonBody(text)
  return parsed.ok ? parsed.value : text
}
