/** A request that can be read at once: a Request of Node's gives its body only as a stream. */
export class KeptRequest extends Request {
  readonly given: RequestInit['body']
  /** A Request of Node's has a signal of its own, which stops following this one when its memory is collected. */
  readonly givenSignal: AbortSignal | null | undefined

  constructor(input: string | URL | Request, init: RequestInit = {}) {
    super(input, init)
    this.given = init.body
    this.givenSignal = init.signal
  }
}
