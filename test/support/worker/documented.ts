import { serviceVersion } from '../../../worker/contract/service-version.ts'
import { describeApi } from '../../../worker/reference/openapi/document.ts'
import {
  schemaRef,
  type OperationMethod,
  type Response,
} from '../../../worker/reference/openapi/json-schemas.ts'
import { DocumentSchemas } from '../node/document-schema.ts'
import { bindings } from './bindings.ts'

export const document = describeApi(serviceVersion, bindings.BASE_URL)
const schemas = new DocumentSchemas(document)

const describedHeaders = Object.keys(document.components.headers)
/** Every answer has these headers, described or not. */
const alwaysThere = ['X-Request-Id']
/** General HTTP headers that any answer may have; the last for pages of other origins. */
const unremarkable = ['Cache-Control', 'Content-Length', 'Access-Control-Allow-Origin']
/** A fault of the service may come before the windows of the key were counted, or after. */
const ofWindows = /RateLimit/

/** Addresses without a part that differs come first: no video has the id `upload`. */
const paths = Object.keys(document.paths)
  .sort((one, other) => one.split('{').length - other.split('{').length)
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))

type Answered = { status: number; headers: Headers; text: string; json: unknown }
type Referred = Response | { $ref: string }

const undocumented: string[] = []

/** What answers since the last call had that the description of the API does not say. */
export function takeUndocumented(): string[] {
  return undocumented.splice(0)
}

/** Holds an answer against the description of its operation and status, if it is one of the public API. */
export function judgeAnswer(method: string, address: string, answer: Answered): void {
  const { pathname } = new URL(address, bindings.BASE_URL)
  const path = paths.find(({ pattern }) => pattern.test(pathname))?.path ?? ''
  const operation = document.paths[path]?.[method.toLowerCase() as OperationMethod]
  if (!operation) return
  const response = operation.responses[answer.status]
  const faults = response ? faultsOf(answer, response) : [`is not described: ${answer.text}`]
  undocumented.push(...faults.map((fault) => `${method} ${path} ${answer.status} ${fault}`))
}

export function faultsOf(answer: Answered, referred: Referred): string[] {
  const { status, headers, text, json } = answer
  const response = resolveResponse(referred)
  const promised = Object.keys(response.headers ?? {})
  const faults = [
    ...describedHeaders
      .filter((name) => headers.has(name) && ![...promised, ...unremarkable].includes(name))
      .filter((name) => status < 500 || !ofWindows.test(name))
      .map((name) => `has the header ${name}`),
    ...alwaysThere.filter((name) => !headers.has(name)).map((name) => `lacks the header ${name}`),
  ]
  const { content = {} } = response
  if (Object.keys(content).length === 0) return text === '' ? faults : [...faults, `says ${text}`]
  if ('*/*' in content) return faults
  const type = headers.get('Content-Type')?.split(';')[0] ?? 'none'
  // A person who opens a link that leads nowhere gets a page.
  if (type === 'text/html' && status >= 400) return faults
  const media = content[type]
  if (!media) return [...faults, `has the type ${type}`]
  return type === 'application/json' ? [...faults, ...schemas.faultsOf(media.schema, json)] : faults
}

export function faultsOfEvent(body: unknown): string[] {
  return schemas.faultsOf(schemaRef('WebhookEvent'), body)
}

function resolveResponse(response: Referred): Response {
  if (!('$ref' in response)) return response
  const found = document.components.responses[response.$ref.split('/').at(-1) ?? '']
  if (!found) throw new Error(`nothing at ${response.$ref}`)
  return found
}
