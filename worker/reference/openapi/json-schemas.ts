import { z } from 'zod'

export type SchemaMap = Record<string, z.ZodType>

export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

type SchemaSide = 'input' | 'output'

/** The JSON Schemas of these zod schemas. They refer to each other instead of repeating each other. */
export function toJsonSchemas(named: SchemaMap, io: SchemaSide): Record<string, JsonSchema> {
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
      // Both name the place of the schema, which is in the document itself.
      delete schema.$schema
      delete schema.$id
      return [id, schema]
    }),
  )
}

/** Removes what is of no use to a reader of the API. */
function tidy(schema: z.core.JSONSchema.BaseSchema, io: SchemaSide): void {
  // The pattern of a timestamp is 300 characters long, and its format says the same.
  if (schema.format === 'date-time' || schema.type === 'integer') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (io === 'input') return
  // Answers may get new fields, and a field that is absent from a record does not mean its default.
  if (schema.additionalProperties === false) delete schema.additionalProperties
  delete schema.default
}

/** The part of OpenAPI 3.1 that this service uses. */

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Reference = { $ref: string }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: JsonSchema
  example?: unknown
}

export type Header = { description: string; schema: JsonSchema; example?: unknown }

export type Example = { summary: string; value: unknown }

export type Media = { schema: JsonSchema; examples?: Record<string, Example> }

export type Response = {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Media>
}

export type RequestBody = { description: string; required: boolean; content: Record<string, Media> }

export type Operation = {
  operationId: string
  tags: [string]
  summary: string
  description: string
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Reference | RequestBody
  responses: Record<string, Response | Reference>
}

export type OperationMethod = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options'
export type PathItem = { [Key in OperationMethod]?: Operation }

export type Document = {
  openapi: '3.1.0'
  info: Record<string, unknown>
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, PathItem>
  webhooks: Record<string, PathItem>
  components: {
    schemas: Record<string, JsonSchema>
    requestBodies: Record<string, RequestBody>
    responses: Record<string, Response>
    headers: Record<string, Header>
    securitySchemes: Record<string, JsonSchema>
  }
}
