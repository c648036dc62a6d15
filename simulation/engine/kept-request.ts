import { PlainHeaders } from './plain-headers.ts'

/**
 * A request on its way out. A Request of Node's gives its body only as a stream, has a signal of its own that stops following
 * the given one when its memory is collected, and takes longer to make than everything else that is done with it.
 */
export class KeptRequest {
  readonly url: string
  readonly method: string
  readonly headers: PlainHeaders
  readonly given: RequestInit['body']
  readonly givenSignal: AbortSignal | null | undefined
  readonly redirect: RequestInit['redirect']

  constructor(
    input: string | URL,
    { method = 'GET', headers, body, signal, redirect }: RequestInit = {},
  ) {
    this.url = new URL(input).href
    this.method = method
    this.headers = new PlainHeaders(headers as ConstructorParameters<typeof PlainHeaders>[0])
    this.given = body
    this.givenSignal = signal
    this.redirect = redirect
  }
}
