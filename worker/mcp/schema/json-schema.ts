import { z } from 'zod'
import { isTime } from '../../contract/options/time.ts'

export type JsonObject = Record<string, unknown>

/** The schema of a tool's arguments, without what is of no use to a model: every client puts it before its model. */
export function toToolSchema(schema: z.ZodType): JsonObject {
  const written = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // Models write seconds as numbers. That a text is accepted too would be repeated dozens of times.
      if (isTime(zodSchema)) replaceByNumber(jsonSchema)
      shorten(jsonSchema)
    },
  })
  // It names only the edition of JSON Schema.
  delete written.$schema
  return written
}

/**
 * A number within a range. A model often asks for more than is possible, such as the 500 newest videos, and means as many
 * as it can get: it gets the most, and the answer says how to get the rest.
 */
export function capped(number: z.ZodNumber, least: number, most: number) {
  return number
    .meta({ minimum: least, maximum: most })
    .transform((given) => Math.min(Math.max(given, least), most))
}

const untold = [
  ...['pattern', 'format', 'minLength', 'maxLength', 'maxItems', 'examples'],
  // Rules between fields; the API explains them to clients that break them.
  ...['additionalProperties', 'not', 'if', 'then', 'else'],
] as const

function replaceByNumber(schema: z.core.JSONSchema.BaseSchema): void {
  const [number] = schema.anyOf ?? []
  delete schema.anyOf
  Object.assign(schema, number)
}

function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  for (const name of untold) delete schema[name]
  const kinds = schema.anyOf?.map((one) => (typeof one === 'object' ? one : {}))
  // A number or a text, such as 640 or 20%: few need to know the range of the number.
  if (kinds?.every(({ type }) => type === 'number' || type === 'integer' || type === 'string')) {
    Object.assign(schema, { type: kinds.map(({ type }) => type) })
    delete schema.anyOf
  }
  if (schema.default === false) delete schema.default
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
