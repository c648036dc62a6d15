import { z } from 'zod'

const words = z.registry<{ is: string }>()

/**
 * Names a value for error messages: `Must be <is>`, `Required: <is>`. Use it where the type alone says too little; for
 * lists and objects, end with the smallest valid example. The schema that is given keeps its own words.
 */
export function worded<Schema extends z.ZodType>(schema: Schema, is: string): Schema {
  const own = schema.clone()
  words.add(own, { is })
  return own
}

/** The schema without the wrappers that make it optional or nullable, give it a default, or transform its value. */
export function innerSchema(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return innerSchema(schema.def.innerType as z.ZodType)
  }
  return schema instanceof z.ZodPipe ? innerSchema(schema.def.in as z.ZodType) : schema
}

/** `mp4, mov, avi or webm` */
export function listOf(values: readonly string[]): string {
  const last = values.at(-1) ?? ''
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`
}

/** What a value of this schema is, as a noun: `a number from 1 to 100`, `true or false`. */
export function describeValue(schema: z.ZodType): string {
  const inner = innerSchema(schema)
  const is = words.get(schema)?.is ?? words.get(inner)?.is
  if (is !== undefined) return is
  if (inner instanceof z.ZodString) return 'text'
  if (inner instanceof z.ZodNumberFormat) return 'a whole number'
  if (inner instanceof z.ZodNumber) return 'a number'
  if (inner instanceof z.ZodBoolean) return 'true or false'
  if (inner instanceof z.ZodArray) return 'a list'
  if (inner instanceof z.ZodISODateTime) return 'a date and time such as 2026-11-21T10:15:03Z'
  const values = valuesOf(inner)
  return values.length > 0 ? listOf(values) : 'an object'
}

/** The values that an enum or a literal allows; none for any other schema. */
export function valuesOf(schema: z.ZodType): string[] {
  return possibleValues(schema).map(String)
}

export function possibleValues(schema: z.ZodType): readonly unknown[] {
  const inner = innerSchema(schema)
  if (inner instanceof z.ZodEnum) return inner.options
  return inner instanceof z.ZodLiteral ? [...inner.values] : []
}
