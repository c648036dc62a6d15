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

export type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options'
export type PathItem = { [Key in Method]?: Operation }

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
