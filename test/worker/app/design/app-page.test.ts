import { describe, expect, it } from 'vitest'
import { appPage } from '../../../../worker/app/design/app-page.tsx'
import { send } from '../../../support/worker/client.ts'
import { aMember } from '../../../support/worker/dashboard/members.ts'

const storage = 'https://files.spool.test'
const aPage = async (wishes: Partial<Parameters<typeof appPage>[0]> = {}) =>
  appPage({
    title: 'Keys',
    member: aMember(),
    section: 'keys',
    storage,
    children: 'here',
    ...wishes,
  })

const linksOf = (html: string) => [...html.matchAll(/ href="(\/app[^"]*)"/g)].map(([, to]) => to)

describe('a page of the dashboard', () => {
  it('leads to every part, and to the operator’s only who runs the service', async () => {
    const parts = ['videos', 'videos/new', 'keys', 'webhooks', 'usage', 'settings']
    const { html } = await aPage()
    expect(linksOf(html)).toEqual(expect.arrayContaining(parts.map((part) => `/app/${part}`)))
    expect(linksOf(html)).not.toContain('/app/operator')
    const operator = await aPage({ member: aMember({ isOperator: true }) })
    expect(linksOf(operator.html)).toContain('/app/operator')
  })

  it('marks the part it belongs to', async () => {
    const { html } = await aPage()
    expect(html.match(/<a [^>]*aria-current="page"[^>]*>[^<]*/g)).toEqual([
      '<a href="/app/keys" aria-current="page">Keys',
    ])
  })

  it('lets a browser run only scripts of the service, and its one style', async () => {
    const { html, policy } = await aPage()
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
    const rules = policy.split('; ')
    expect(rules).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `style-src 'sha256-${hash}'`,
        "script-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ]),
    )
    expect(rules).toContain(`media-src 'self' blob: ${storage}`)
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/ style=| on[a-z]+="|<script(?! type="module" src="\/scripts\/)/)
  })

  it('has no navigation for people who are not signed in', async () => {
    const { html } = await appPage({ title: 'Sign in', storage, children: 'here' })
    expect(html).not.toContain('<nav')
    expect(html).not.toContain('Sign out')
  })
})

describe('GET /scripts/{name}', () => {
  it('serves the bundled scripts, and lets a browser ask whether they have changed', async () => {
    const script = await send('/scripts/shell.js')
    expect(script.status).toBe(200)
    expect(script.headers.get('Content-Type')).toMatch(/^text\/javascript/)
    expect(script.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(script.headers.get('Cache-Control')).toContain('must-revalidate')
    const again = await send('/scripts/shell.js', {
      headers: { 'If-None-Match': script.headers.get('ETag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('answers 404 for a script that does not exist', async () => {
    expect((await send('/scripts/other.js')).status).toBe(404)
  })
})
