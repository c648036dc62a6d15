/** A request that can be read at once: a Request of Node's gives its body only as a stream. */
export class KeptRequest extends Request {
  readonly given: RequestInit['body']

  constructor(input: string | URL | Request, init: RequestInit = {}) {
    super(input, init)
    this.given = init.body
  }
}
