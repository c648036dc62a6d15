import { serviceVersion } from '../../../worker/contract/service-version.ts'
import { expect } from 'vitest'
import type { Method, Response } from '../../../worker/reference/openapi/openapi-types.ts'
import { describeApi } from '../../../worker/reference/openapi/document.ts'
import { schemaRef } from '../../../worker/reference/openapi/json-schemas.ts'
import { DocumentSchemas } from '../../support/node/document-schema.ts'
import { bindings } from '../../support/worker/bindings.ts'
import type { Answer } from '../../support/worker/client.ts'

export const document = describeApi(serviceVersion, bindings.BASE_URL)
const schemas = new DocumentSchemas(document)

const describedHeaders = Object.keys(document.components.headers)
/** Every answer has these headers, described or not. */
const alwaysThere = ['X-Request-Id']
/** General HTTP headers that any answer may have. */
const unremarkable = ['Cache-Control', 'Content-Length']

function resolveResponse(response: Response | { $ref: string }): Response {
  if (!('$ref' in response)) return response
  const found = document.components.responses[response.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`nothing at ${response.$ref}`)
  return found
}

/** Collects the answers of one operation and checks each against the document's description of its status. */
export class Documented {
  readonly method: Method
  readonly #responses: Record<string, Response | { $ref: string }>
  readonly #seen = new Set<string>()

  constructor(method: Method, path: string) {
    const operation = document.paths[path]?.[method]
    if (!operation) throw new Error(`${method} ${path} is not described`)
    this.method = method
    this.#responses = operation.responses
  }

  check(status: number, answer: Answer): void {
    expect(answer.status, answer.text).toBe(status)
    const response = this.#responses[status]
    if (!response) throw new Error(`${status} is not described: ${answer.text}`)
    checkAnswer(answer, resolveResponse(response))
    this.#seen.add(String(status))
  }

  /** Every documented status was seen, except those that nothing can provoke yet. */
  expectComplete(unprovoked: string[] = []): void {
    const expected = Object.keys(this.#responses).filter((status) => !unprovoked.includes(status))
    expect([...this.#seen].sort()).toEqual(expected.sort())
  }
}

export function checkAnswer({ headers, text, json }: Answer, response: Response): void {
  const promised = Object.keys(response.headers ?? {})
  const undescribed = describedHeaders.filter(
    (name) => headers.has(name) && ![...promised, ...unremarkable].includes(name),
  )
  expect(undescribed).toEqual([])
  expect(alwaysThere.filter((name) => !headers.has(name))).toEqual([])
  const [type, media] = Object.entries(response.content ?? {})[0] ?? []
  if (type === undefined || !media) {
    expect(text).toBe('')
    return
  }
  if (type === '*/*') return
  expect(headers.get('Content-Type')?.split(';')[0]).toBe(type)
  if (type === 'application/json') expect(schemas.faultsOf(media.schema, json)).toEqual([])
}

export function expectWebhookEvent(body: unknown): void {
  expect(schemas.faultsOf(schemaRef('WebhookEvent'), body)).toEqual([])
}
