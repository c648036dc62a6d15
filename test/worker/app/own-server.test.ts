import { createExecutionContext } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../../worker/app.ts'
import { bindings } from '../../support/worker/bindings.ts'

/** As `npm start` sets them where a proxy stands in front, and where only the owner can reach the service. */
const behindProxy = {
  ...bindings,
  CLIENT_ADDRESS: 'socket',
  BASE_URL: 'https://video.example.com',
  OWN_HOSTS: '192.0.2.1,studio.lan',
}
const ownMachine = { ...bindings, CLIENT_ADDRESS: 'socket', REACH: 'owner' }

type Headings = Readonly<Record<string, string>>

async function submit(url: string, env: object, headers: Headings, fields: Headings) {
  const body = new URLSearchParams(fields)
  const { origin: Origin } = new URL(url)
  const request = new Request(url, { method: 'POST', body, headers: { Origin, ...headers } })
  return createApp().request(request, undefined, env, createExecutionContext())
}

const signOut = async (address: string, headers: Headings = {}) =>
  submit(`${address}/app/sign-out`, behindProxy, headers, {})

async function signUp(headers: Headings = {}, env: object = ownMachine): Promise<Response> {
  const fields = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  return submit('http://127.0.0.1:8787/app/sign-up', env, headers, fields)
}

describe('a form of the dashboard on a server of one’s own', () => {
  it('is taken at the base URL, whatever Host the proxy passes on', async () => {
    const Origin = 'https://video.example.com'
    for (const address of ['http://127.0.0.1:8787', 'http://video.example.com']) {
      const answer = await signOut(address, { Origin })
      expect(answer.status).toBe(303)
      expect(answer.headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
    }
  })

  it('sets cookies that go over https alone, if the base URL says so', async () => {
    const answer = await signUp({ Origin: 'https://video.example.com' }, behindProxy)
    expect(answer.headers.get('Set-Cookie')).toMatch(/^__Host-spool_session=.*; Secure/)
  })

  it('is taken at every address and name of the machine', async () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost', '192.0.2.1', 'studio.lan', '10.0.0.9']) {
      expect((await signOut(`http://${host}:8787`)).status, host).toBe(303)
    }
  })

  it('is refused under a name that a stranger has pointed at the server', async () => {
    const answer = await signOut('http://evil.example:8787')
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain(
      'The dashboard is at https://video.example.com/app; for another address, set BASE_URL.',
    )
  })
})

describe('a service that only its owner can reach, as far as it knows', () => {
  it('lets anybody on its machine make an account', async () => {
    expect((await signUp()).status).toBe(303)
  })

  it.each([
    ['X-Forwarded-For', '203.0.113.9'],
    ['X-Real-IP', '203.0.113.9'],
    ['Forwarded', 'for=203.0.113.9'],
    ['Via', '1.1 Caddy'],
    ['X-Forwarded-Host', 'video.example.com'],
  ])('makes no account for a request that a proxy has passed on with %s', async (name, value) => {
    const answer = await signUp({ [name]: value })
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('Its operator has to set BASE_URL')
  })
})
