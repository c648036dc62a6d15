import type { ErrorBody } from '../api-types.ts'
import { ApiError, type ErrorCode, type Fault } from '../errors.ts'

/**
 * The error that an answer describes. A proxy in between answers in its own words, and so does another program at the
 * address. `url` is of a request to the service itself, not to where it keeps files.
 */
export async function readError(
  response: Response,
  request: string,
  url?: string,
): Promise<ApiError> {
  const { status, headers } = response
  const location = headers.get('Location')
  const text = await response.text()
  const body = parseBody(text)
  const code: ErrorCode = body?.error ?? 'Unrecognized'
  const facts = {
    status,
    code,
    faults: (body?.details ?? []).map(({ field, message }): Fault => ({ path: field, message })),
    retryAfterSeconds: readRetryAfter(headers.get('Retry-After'), Date.now()),
    requestId: headers.get('X-Request-Id') ?? body?.requestId,
  }
  if (body) return new ApiError(body.message, facts)
  if (status === 0 || (status >= 300 && status < 400)) {
    const where = location ? ` to ${location}` : ''
    return new ApiError(`${request}: redirected${where}. Make that the baseUrl.`, facts)
  }
  const said = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200)
  const answer = said === '' ? String(status) : `${status}: ${said}`
  const isWrongAddress = url?.includes('/v1/') === true && !isOfProxy(status)
  const message = isWrongAddress
    ? noService(request, url, answer)
    : `${request}: something before the service answered ${answer}`
  return new ApiError(message, facts)
}

/** What a proxy says of its own accord. Anything else comes from the program that listens at the address. */
function isOfProxy(status: number): boolean {
  return status >= 500 || [408, 413, 429].includes(status)
}

/** The address is wrong: something else than Spool answers there. */
export function noService(request: string, url: string, answer: string): string {
  const base = url.slice(0, url.indexOf('/v1/'))
  return `There is no Spool service at ${base}. ${request} was answered ${answer}`
}

function parseBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null
    if (typeof body?.error !== 'string' || typeof body.message !== 'string') return undefined
    // Many frameworks answer `{"error": "Not Found", "message": …}`; codes of Spool are one word.
    if (!/^([A-Z][a-z]+)+$/.test(body.error)) return undefined
    return { ...body, details: Array.isArray(body.details) ? body.details : [] } as ErrorBody
  } catch {
    // Not JSON, so not from Spool; the caller shows the text.
    return undefined
  }
}

/** In seconds or as a date, as HTTP allows. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = /^\d+$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - nowMs) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
