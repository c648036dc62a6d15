import { administer, anAccount } from './accounts.ts'
import { bindings } from './bindings.ts'
import { send, type Answer } from './client.ts'

type Headings = Record<string, string>

/** Somebody with a browser: keeps the cookie, says where its requests come from, and follows no redirect by itself. */
export class Visitor {
  cookie: string | undefined
  /** What the last answer that set the cookie said about it. */
  setCookie: string | undefined

  async get(path: string, headers: Headings = {}): Promise<Answer> {
    return this.send(path, { headers: { Accept: 'text/html', ...headers } })
  }

  /** Posts a form of a page. A field may have several values. */
  async submit(
    path: string,
    fields: Record<string, string | readonly string[]> = {},
  ): Promise<Answer> {
    const pairs = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    )
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams(pairs).toString(),
      headers: {
        Accept: 'text/html',
        Origin: bindings.BASE_URL,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    })
  }

  /** Calls the dashboard's API as a script of a page does. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const type = body === undefined ? undefined : { 'Content-Type': 'application/json' }
    return this.send(`/app/api${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { Origin: bindings.BASE_URL, 'Sec-Fetch-Site': 'same-origin', ...type },
    })
  }

  async send(path: string, init: RequestInit): Promise<Answer> {
    const headers = new Headers(init.headers)
    if (this.cookie !== undefined) headers.set('Cookie', this.cookie)
    const answer = await send(path, { ...init, headers })
    const set = answer.headers.get('Set-Cookie')
    if (set !== null) {
      this.setCookie = set
      this.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';', 1)[0]
    }
    return answer
  }
}

/** A link of the operator that signs the owner of the account in, as a path. */
export async function ownerLink(accountId: string): Promise<string> {
  const { url } = await administer<'people.link'>({ command: 'people.link', accountId })
  return new URL(url).pathname
}

/** An owner who came by a link, of a new account unless one is named. */
export async function anOwner(wish?: string): Promise<Visitor & { accountId: string }> {
  const accountId = wish ?? (await anAccount('100000/60'))
  const visitor = new Visitor()
  const answer = await visitor.get(await ownerLink(accountId))
  if (answer.status !== 303) throw new Error(`The link was answered with ${answer.status}`)
  return Object.assign(visitor, { accountId })
}
