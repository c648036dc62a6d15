import type { z } from 'zod'
import type { Example, JsonSchema, RequestBody } from './openapi-types.ts'

export type Body = {
  schema: z.ZodType
  description: string
  examples: Record<string, [summary: string, value: unknown]>
  optional?: true
  /** The field of the form that carries a file beside those of the schema. */
  file?: { name: string; description: string }
}

/** A JSON body. */
export function takes(schema: z.ZodType, description: string, examples: Body['examples']): Body {
  return { schema, description, examples }
}

export function describeBody(
  { description, examples, optional, file }: Body,
  schema: JsonSchema,
): RequestBody {
  const named = Object.entries(examples).map(([name, [summary, value]]) => [
    name,
    { summary, value },
  ])
  const media = {
    schema: file ? withFile(schema, file) : schema,
    examples: Object.fromEntries(named) as Record<string, Example>,
  }
  const type = file ? 'multipart/form-data' : 'application/json'
  return { description, required: optional !== true, content: { [type]: media } }
}

function withFile(
  { properties, ...schema }: JsonSchema,
  { name, description }: NonNullable<Body['file']>,
): JsonSchema {
  const file = { type: 'string', format: 'binary', description }
  return { ...schema, properties: { [name]: file, ...(properties as object) }, required: [name] }
}
