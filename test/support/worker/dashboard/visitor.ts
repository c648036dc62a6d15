import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { beforeEach, vi, type MockInstance } from 'vitest'
import { createApp } from '../../../../worker/app.ts'
import { newAccount } from '../../../../worker/command/administer-accounts.ts'
import { mintId } from '../../../../worker/contract/ids.ts'
import { insertPersonWithAccount } from '../../../../worker/store/people/people.ts'
import { administer, anAccount } from '../accounts.ts'
import { bindings } from '../bindings.ts'
import { send, type Answer } from '../client.ts'

type Headings = Record<string, string>

/** Somebody with a browser: keeps the cookies, says where its requests come from, and follows no redirect by itself. */
export class Visitor {
  /** The cookie of the session. */
  cookie: string | undefined
  /** The cookie by which the service knows the browser again. */
  browserCookie: string | undefined
  readonly #env: object | undefined

  /** `settings`: of the service that is visited, where they differ from those of the tests. */
  constructor(settings?: Readonly<Record<string, string>>) {
    this.#env = settings && { ...bindings, ...settings }
  }

  /** What the last answer that set the cookie of the session said about it. */
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
    const cookies = [this.cookie, this.browserCookie].filter((cookie) => cookie !== undefined)
    if (cookies.length > 0) headers.set('Cookie', cookies.join('; '))
    const answer = await this.#ask(path, { ...init, headers })
    for (const set of answer.headers.getSetCookie()) this.#keep(set)
    return answer
  }

  #keep(set: string): void {
    const cookie = /Max-Age=0/.test(set) ? undefined : set.split(';', 1)[0]
    if (set.includes('spool_browser')) this.browserCookie = cookie
    else {
      this.setCookie = set
      this.cookie = cookie
    }
  }

  async #ask(path: string, init: RequestInit): Promise<Answer> {
    if (this.#env === undefined) return send(path, init)
    const context = createExecutionContext()
    const url = new URL(path, bindings.BASE_URL).href
    const response = await createApp().request(url, init, this.#env, context)
    const { status, headers } = response
    const text = await response.text()
    await waitOnExecutionContext(context)
    const isJson = headers.get('Content-Type')?.startsWith('application/json') && text !== ''
    return { status, headers, text, json: isJson ? (JSON.parse(text) as Answer['json']) : {} }
  }
}

/** Answers come as soon as they are ready, and nobody has tried anything yet. */
export function standBeforeSignIn(): { waits: () => number[] } {
  let wait: MockInstance<typeof scheduler.wait>
  beforeEach(async () => {
    wait = vi.spyOn(scheduler, 'wait').mockResolvedValue()
    await bindings.DB.prepare('DELETE FROM attempts').run()
  })
  return { waits: () => wait.mock.calls.map(([ms]) => ms) }
}

export const password = 'correct horse battery'

let people = 0
/** An address that nobody has. */
export function anEmail(): string {
  return `person${++people}@example.com`
}

/** The password above, hashed at next to no cost. */
const cheapHash =
  'scrypt$16$1$1$00000000000000000000000000000000$0ba5591215b57623bedad02d8a12dab250264be2ece59387ee353233341b6bcf'

/** Somebody who has an account with a password and is signed in. */
export async function aPerson(
  email: string = anEmail(),
): Promise<Visitor & { email: string; accountId: string; personId: string }> {
  const now = Date.now()
  const account = newAccount({ name: email, rateLimits: '100000/60' }, now)
  const who = { email, name: null, passwordHash: cheapHash, accountId: account.id, createdAt: now }
  const personId = mintId('p')
  await insertPersonWithAccount(bindings.DB, { ...who, id: personId }, account)
  return Object.assign(await anOwner(account.id), { email, personId })
}

/** Signs in with a password, in a browser that is new to the service. */
export async function signIn(
  email: string,
  wish: { password?: string; settings?: Readonly<Record<string, string>>; next?: string } = {},
): Promise<{ visitor: Visitor; answer: Answer }> {
  const visitor = new Visitor(wish.settings)
  const next = wish.next === undefined ? {} : { next: wish.next }
  const fields = { email, password: wish.password ?? password, ...next }
  return { visitor, answer: await visitor.submit('/app/sign-in', fields) }
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
