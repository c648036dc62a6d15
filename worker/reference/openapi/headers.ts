import type { Header, Reference } from './json-schemas.ts'

function count(description: string, example: number): Header {
  return { description, schema: { type: 'integer', minimum: 0 }, example }
}

function text(description: string, example: string, more: object = {}): Header {
  return { description, schema: { type: 'string', ...more }, example }
}

function always(description: string, value: string): Header {
  return text(description, value, { const: value })
}

/** components.headers; every name is the name on the wire. */
export const headers = {
  'X-Request-Id': text(
    'Identifies this request in the log of the service',
    'req_0IGTCWZ4gN2bQXxV',
    { pattern: '^req_[0-9A-Za-z]{16}$' },
  ),
  'X-RateLimit-Limit': count(
    'How many requests the tightest window allows; on every answer to a valid key',
    100,
  ),
  'X-RateLimit-Remaining': count('Requests left in that window', 99),
  'X-RateLimit-Reset': count('When that window ends, in seconds since 1970 (UTC)', 1795231260),
  'RateLimit-Policy': text(
    'Every window of the key: q requests in w seconds (IETF draft)',
    '"60s";q=100;w=60, "3600s";q=1000;w=3600',
  ),
  RateLimit: text(
    'Every window at this moment: r requests left, t seconds to its end (IETF draft)',
    '"60s";r=99;t=60, "3600s";r=999;t=3600',
  ),
  'Retry-After': count('Seconds to wait before trying again', 5),
  'WWW-Authenticate': text(
    'What was wrong with the key (RFC 6750)',
    'Bearer realm="spool", error="invalid_token"',
  ),
  Location: text('The address of what was created', '/v1/videos/v_3kTMd92L', {
    format: 'uri-reference',
  }),
  'Idempotent-Replayed': always(
    'Present when this is the answer to an earlier request with the same key',
    'true',
  ),
  Allow: text('The methods this address answers', 'GET, HEAD'),
  ETag: text('Identifies this version of the body', '"9f86d081884c7d65"'),
  'Last-Modified': text('When the file was finished', 'Sat, 21 Nov 2026 10:15:03 GMT'),
  'Accept-Ranges': always('Parts of the file may be requested', 'bytes'),
  'Content-Range': text(
    'Which bytes these are, and the size of the file; bytes */size with 416',
    'bytes 0-1023/2048576',
  ),
  'Content-Length': count('Bytes of this body', 2048576),
  'Content-Disposition': text(
    'Whether to show the file or to save it (`attachment`), and its name',
    `inline; filename="Keynote.mp4"; filename*=UTF-8''Keynote.mp4`,
  ),
  'Access-Control-Allow-Origin': text('The origins whose pages may read the answer', '*'),
  'Cache-Control': text('How long a copy may be used', 'private, no-cache'),
} satisfies Record<string, Header>

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
