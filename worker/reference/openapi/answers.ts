import type { ErrorBody } from '../../contract/answers/error-body.ts'
import { headerRefs, rateHeaderNames, type HeaderName } from './headers.ts'
import { schemaRef } from './json-schemas.ts'
import type { Example, Media, Response } from './openapi-types.ts'

/** What an operation says about one of its answers. */
export type Said = {
  description: string
  /** Beside those that every answer to a valid key has. */
  headers?: readonly HeaderName[]
  /** The name of the schema of a JSON answer. */
  schema?: string
  examples?: Record<string, [summary: string, value: unknown]>
  /** The ways to get this error; all errors have one schema. */
  faults?: Record<string, ErrorBody>
  /** Bodies that are not JSON. */
  content?: Record<string, Media>
}

/** A JSON answer with examples of it. */
export function answer(
  description: string,
  schema: string,
  examples: Said['examples'] & object,
  headers: readonly HeaderName[] = [],
): Said {
  return { description, schema, examples, headers }
}

/** An answer as OpenAPI writes it; rate limits are told to requests that send a key. */
export function describeAnswer(said: Said, sendsKey: boolean): Response {
  const json = describeJson(said)
  const content = { ...(json && { 'application/json': json }), ...said.content }
  return {
    description: said.description,
    headers: headerRefs(...(sendsKey ? rateHeaderNames : []), ...(said.headers ?? [])),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

function describeJson({ schema, examples = {}, faults }: Said): Media | undefined {
  const named = faults
    ? Object.entries(faults).map(([name, value]) => [name, { summary: value.message, value }])
    : Object.entries(examples).map(([name, [summary, value]]) => [name, { summary, value }])
  const name = faults ? 'Error' : schema
  if (!name) return undefined
  return {
    schema: schemaRef(name),
    examples: Object.fromEntries(named) as Record<string, Example>,
  }
}
