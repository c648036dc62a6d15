import type { World } from '../engine/world.ts'
import type { Account } from './account.ts'
import type { Answer, Exchange } from './exchange.ts'
import { PlainSession } from './plain-session.ts'

type Parts = { world: World; exchange: Exchange; account: Account }
type Headers = Readonly<Record<string, string>>

/** What a browser says of a form that a page of the service sends. */
const fromHere: Headers = {
  'Sec-Fetch-Site': 'same-origin',
  'Content-Type': 'application/x-www-form-urlencoded',
}

/** The browser of a person, which keeps the cookies that it is given. */
export class Browser {
  readonly #parts: Parts
  readonly #session: PlainSession
  #cookies = new Map<string, string>()

  constructor(parts: Parts) {
    const { world, exchange, account } = parts
    this.#parts = parts
    // Without a key, which would say who asks.
    this.#session = new PlainSession({ world, exchange }, { ...account, key: '' })
  }

  async open(path: string): Promise<Answer | undefined> {
    return this.#ask('GET', path)
  }

  async post(path: string, form = '', headers: Headers = {}): Promise<Answer | undefined> {
    return this.#ask('POST', path, { ...fromHere, ...headers }, form)
  }

  /** Another browser into which somebody has copied the cookies. */
  copied(): Browser {
    const copy = new Browser(this.#parts)
    copy.#cookies = new Map(this.#cookies)
    return copy
  }

  async videos(): Promise<unknown[]> {
    const answer = await this.open('/app/api/videos')
    const { data } = JSON.parse(answer?.text ?? '{}') as { data: { videoId: string }[] }
    return data.map(({ videoId }) => videoId)
  }

  async sees(status: number): Promise<void> {
    const answer = await this.open('/app/api/videos')
    this.#session.same('what a session answers', answer?.status, status)
  }

  async #ask(method: string, path: string, headers: Headers = {}, form?: string) {
    const jar = [...this.#cookies].map((pair) => pair.join('='))
    const cookie = jar.length === 0 ? {} : { Cookie: jar.join('; ') }
    const answer = await this.#session.ask([method, path], { ...headers, ...cookie }, form)
    for (const line of answer?.headers.getSetCookie() ?? []) this.#keep(line)
    return answer
  }

  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0\b/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}
