import type { z } from 'zod'
import type { Route } from '../../contract/routes.ts'
import { describeAnswer, type AnswerDescription, type Body } from './bodies.ts'
import { keyFailures, sharedFailure } from './failures.ts'
import type { Operation, Parameter, Reference, RequestBody, Response } from './json-schemas.ts'
import { pathParameters, pathParts, queryParameters } from './parameters.ts'
import { upperFirst } from '../../contract/upper-first.ts'

/** The part of an operation's description that does not follow from its address, its scope and its body. */
export type Described = {
  summary: string
  description: string
  /** Parameters beside those in the path and the query. */
  parameters?: Parameter[]
  query?: z.ZodType
  body?: Body
  /** A body without a schema. */
  requestBody?: RequestBody | Reference
  responses: Readonly<Record<number, AnswerDescription | Reference>>
}

/** The name of the body of an operation among components.requestBodies. */
export function bodyName(operationId: string): string {
  return upperFirst(operationId)
}

export function describeOperation(
  operationId: string,
  tag: string,
  described: Described,
  route: Route,
): Operation {
  const { summary, description, body } = described
  const sendsKey = route.needs !== 'open'
  const parameters = describeParameters(described, route)
  const requestBody = body
    ? { $ref: `#/components/requestBodies/${bodyName(operationId)}` }
    : described.requestBody
  return {
    operationId,
    tags: [tag],
    summary,
    description: sendsKey ? `${description}\n\nNeeds the scope \`${route.needs}\`.` : description,
    ...(!sendsKey && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: describeResponses(described, route, sendsKey),
  }
}

function describeParameters({ query, parameters = [] }: Described, { path }: Route): Parameter[] {
  return [...pathParameters(path), ...(query ? queryParameters(query) : []), ...parameters]
}

function describeResponses(
  { body, requestBody, responses }: Described,
  route: Route,
  sendsKey: boolean,
): Record<string, Response | Reference> {
  const takesJson = body !== undefined || (requestBody && '$ref' in requestBody)
  const all: Record<number, AnswerDescription | Reference> = {
    ...(sendsKey && keyFailures),
    ...whereMissing(route),
    ...(takesJson && { 413: sharedFailure('PayloadTooLarge') }),
    ...responses,
  }
  return Object.fromEntries(
    Object.entries(all).map(([status, said]) => [
      status,
      '$ref' in said ? said : describeAnswer(said, sendsKey),
    ]),
  )
}

/** PUT makes what is missing; every other method answers 404. */
function whereMissing({ method, path }: Route): Record<number, AnswerDescription | Reference> {
  if (method === 'PUT') return {}
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParts[name])
  return Object.fromEntries(names.flatMap((part) => (part ? [[404, part.missing]] : [])))
}
