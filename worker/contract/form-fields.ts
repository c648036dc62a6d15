import type { z } from 'zod'
import { parseJsonBody } from './read-json.ts'
import { innerSchema, possibleValues } from './wording.ts'

type Decoded = { value: unknown }

/**
 * Form fields arrive as text. What a text means is decided by the schema of its field: booleans are `true` and `false`,
 * numbers plain decimals, literals whichever of their values reads so, texts themselves, everything else JSON. A text
 * that does not decode stays as it is, so that the schema refuses it by name.
 */
export function decodeFormFields(
  schema: z.ZodObject,
  fields: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const decoded: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [name, text] of Object.entries(fields)) {
    const field = fieldOf(schema, name)
    decoded[name] = field ? decodeText(text, field).value : text
  }
  return decoded
}

function fieldOf({ shape }: z.ZodObject, name: string): z.ZodType | undefined {
  return Object.hasOwn(shape, name) ? (shape[name] as z.ZodType | undefined) : undefined
}

/** Why the text of a field did not decode, in the words of a form; undefined when it did. */
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

function decodeText(text: string, field: z.ZodType): Decoded {
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
