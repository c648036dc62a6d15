import type { ErrorBody } from '../../contract/answers/error-body.ts'
import { headerRefs, rateHeaderNames, type HeaderName } from './headers.ts'
import {
  schemaRef,
  type Example,
  type JsonSchema,
  type RequestBody,
  type Media,
  type Response,
} from './json-schemas.ts'
import type { z } from 'zod'

/** One answer of an operation, as the operation describes it. */
export type AnswerDescription = {
  description: string
  /** Headers beside those of every answer to a valid key. */
  headers?: readonly HeaderName[]
  /** The name of the schema of a JSON answer. */
  schema?: string
  examples?: Examples
  /** The errors that this answer may carry; all have one schema. */
  faults?: Record<string, ErrorBody>
  /** Bodies that are not JSON. */
  content?: Record<string, Media>
}

/** A JSON answer with examples of it. */
export function answer(
  description: string,
  schema: string,
  examples: AnswerDescription['examples'] & object,
  headers: readonly HeaderName[] = [],
): AnswerDescription {
  return { description, schema, examples, headers }
}

/** An answer in the form of OpenAPI. Only requests that send a key are told their rate limits. */
export function describeAnswer(said: AnswerDescription, sendsKey: boolean): Response {
  const json = describeJson(said)
  const content = { ...(json && { 'application/json': json }), ...said.content }
  return {
    description: said.description,
    headers: headerRefs(...(sendsKey ? rateHeaderNames : []), ...(said.headers ?? [])),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

function describeJson({ schema, examples = {}, faults }: AnswerDescription): Media | undefined {
  if (faults) {
    const told = Object.entries(faults).map(([name, value]) => [name, [value.message, value]])
    const named = Object.fromEntries(told) as Examples
    return { schema: schemaRef('Error'), examples: describeExamples(named) }
  }
  return schema ? { schema: schemaRef(schema), examples: describeExamples(examples) } : undefined
}

type Examples = Record<string, [summary: string, value: unknown]>

function describeExamples(examples: Examples): Record<string, Example> {
  const named = Object.entries(examples).map(([name, [summary, value]]): [string, Example] => [
    name,
    { summary, value },
  ])
  return Object.fromEntries(named)
}

export type Body = {
  schema: z.ZodType
  description: string
  examples: Examples
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
  const media = {
    schema: file ? withFile(schema, file) : schema,
    examples: describeExamples(examples),
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
