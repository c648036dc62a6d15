import type { Header, Reference } from './json-schemas.ts'

const count = { type: 'integer', minimum: 0 }
const text = { type: 'string' }

/** components.headers; every name is the name on the wire. */
export const headers = {
  'X-Request-Id': {
    description: 'Identifies this request in the log of the service',
    schema: { type: 'string', pattern: '^req_[0-9A-Za-z]{16}$' },
    example: 'req_0IGTCWZ4gN2bQXxV',
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the tightest window allows; on every answer to a valid key',
    schema: count,
    example: 100,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in that window',
    schema: count,
    example: 99,
  },
  'X-RateLimit-Reset': {
    description: 'When that window ends, in seconds since 1970 (UTC)',
    schema: count,
    example: 1795231260,
  },
  'RateLimit-Policy': {
    description: 'Every window of the key: q requests in w seconds (IETF draft)',
    schema: text,
    example: '"60s";q=100;w=60, "3600s";q=1000;w=3600',
  },
  RateLimit: {
    description: 'Every window at this moment: r requests left, t seconds to its end (IETF draft)',
    schema: text,
    example: '"60s";r=99;t=60, "3600s";r=999;t=3600',
  },
  'Retry-After': { description: 'Seconds to wait before trying again', schema: count, example: 5 },
  'WWW-Authenticate': {
    description: 'What was wrong with the key (RFC 6750)',
    schema: text,
    example: 'Bearer realm="spool", error="invalid_token"',
  },
  Location: {
    description: 'The address of what was created',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/videos/v_3kTMd92L',
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the answer to an earlier request with the same key',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  Allow: { description: 'The methods this address answers', schema: text, example: 'GET, HEAD' },
  ETag: {
    description: 'Identifies this version of the body',
    schema: text,
    example: '"9f86d081884c7d65"',
  },
  'Last-Modified': {
    description: 'When the file was finished',
    schema: text,
    example: 'Sat, 21 Nov 2026 10:15:03 GMT',
  },
  'Accept-Ranges': {
    description: 'Parts of the file may be requested',
    schema: { type: 'string', const: 'bytes' },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Which bytes these are, and the size of the file; bytes */size with 416',
    schema: text,
    example: 'bytes 0-1023/2048576',
  },
  'Content-Length': { description: 'Bytes of this body', schema: count, example: 2048576 },
  'Content-Disposition': {
    description: 'Whether to show the file or to save it (`attachment`), and its name',
    schema: text,
    example: `inline; filename="Keynote.mp4"; filename*=UTF-8''Keynote.mp4`,
  },
  'Access-Control-Allow-Origin': {
    description: 'The origins whose pages may read the answer',
    schema: text,
    example: '*',
  },
  'Cache-Control': {
    description: 'How long a copy may be used',
    schema: text,
    example: 'private, no-cache',
  },
} as const satisfies Record<string, Header>

export type HeaderName = keyof typeof headers

/** On every answer to a valid key. */
export const rateHeaderNames = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
] as const satisfies readonly HeaderName[]

export function headerRefs(...names: HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(
    ['X-Request-Id' as const, ...names].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )
}
