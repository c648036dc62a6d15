import type { ErrorBody } from '../../../contract/answers/error-body.ts'

/** An answer that is an error, with what its body says. */
export class ApiError extends Error {
  readonly status: number
  readonly body: Partial<ErrorBody>

  constructor(status: number, body: Partial<ErrorBody>) {
    super(body.message ?? `The service answered with ${status}.`)
    this.status = status
    this.body = body
  }
}

/** The service was not reached. */
export class NoAnswer extends Error {}

type Call = {
  method?: string
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Calls the API for who is signed in. Rejects with an ApiError, a NoAnswer, or because it was aborted. */
export async function callApi(path: string, call: Call = {}): Promise<unknown> {
  const { method = 'GET', body, headers = {}, signal } = call
  const answer = await fetch(`/app/api${path}`, {
    method,
    headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : new NoAnswer('The service was not reached', { cause: error })
  })
  const text = await answer.text()
  const read = parse(text)
  if (!answer.ok) throw new ApiError(answer.status, read ?? {})
  return read
}

function parse(text: string): unknown {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}
