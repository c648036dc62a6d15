import { z } from 'zod'
import type { JsonSchema } from './openapi-types.ts'

export type Named = Record<string, z.ZodType>

export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

type Direction = 'input' | 'output'

/** The JSON Schemas of these zod schemas. They refer to each other instead of repeating each other. */
export function toJsonSchemas(named: Named, io: Direction): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io,
    // metadata is any object; its meta() says what it may hold.
    unrepresentable: 'any',
    uri: (id) => schemaRef(id).$ref,
    override: ({ jsonSchema }) => tidy(jsonSchema, io),
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]): [string, JsonSchema] => {
      // Both say where the schema is, which is in the document itself.
      delete schema.$schema
      delete schema.$id
      return [id, schema]
    }),
  )
}

/** Removes what tells a reader of the API nothing. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: Direction): void {
  // The pattern of a timestamp is 300 characters long, and its format says the same.
  if (schema.format === 'date-time' || schema.type === 'integer') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (io === 'input') return
  // Answers may get new fields, and a field that is absent from a record does not mean its default.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  delete schema.default
}
