import type { ErrorBody } from '../../contract/answers/error-body.ts'
import { failure } from './failures.ts'
import { headerRefs, rateHeaderNames, type HeaderName } from './headers.ts'
import type { Example, Response } from './openapi-types.ts'
import { schemaRef } from './schemas.ts'

type Answer = {
  description: string
  schema: string
  examples: Record<string, [summary: string, value: unknown]>
  headers?: HeaderName[]
}

/** A JSON answer to a request with a key. */
export function answer(what: Answer): Response {
  return openAnswer({ ...what, headers: [...rateHeaderNames, ...(what.headers ?? [])] })
}

/** A JSON answer to a request that needs no key, so that no window is counted. */
export function openAnswer({ description, schema, examples, headers = [] }: Answer): Response {
  const named = Object.entries(examples).map(([name, [summary, value]]): [string, Example] => [
    name,
    { summary, value },
  ])
  return {
    description,
    headers: headerRefs(...headers),
    content: {
      'application/json': { schema: schemaRef(schema), examples: Object.fromEntries(named) },
    },
  }
}

export function invalid(examples: Record<string, ErrorBody>): Response {
  return failure({
    description: 'The request is not valid; details names every fault at once.',
    headers: [...rateHeaderNames],
    examples,
  })
}

export function conflict(description: string, examples: Record<string, ErrorBody>): Response {
  return failure({ description, headers: [...rateHeaderNames, 'Retry-After'], examples })
}
