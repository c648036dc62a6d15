import { beforeAll, describe, expect, it } from 'vitest'
import { addressOfReference } from '../../../worker/reference/guides/guide-list.ts'
import { referencePages } from '../../../worker/reference/docs/reference-pages.ts'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Answer } from '../../support/worker/client.ts'
import { document } from '../../support/worker/documented.ts'

const names = referencePages(document).map(({ name }) => name)
const pages = new Map<string, Answer>()
beforeAll(async () => {
  for (const name of names) pages.set(name, await send(addressOfReference(name)))
})
const textOf = (name: string) => pages.get(name)?.text ?? ''

const attributes = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '')

describe('a page of the reference', () => {
  it.each(names)(
    '%s is there, with one heading of the first level and no level skipped',
    (name) => {
      expect(pages.get(name)?.status).toBe(200)
      const levels = [...textOf(name).matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
      expect(levels.filter((level) => level === 1)).toEqual([1])
      expect(levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)).toEqual([])
    },
  )

  it('allows nothing but its one style sheet, named by its hash, and the scripts of the service', async () => {
    const page = await send('/docs/reference/createVideo')
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page.text) ?? []
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
    const policy = page.headers.get('Content-Security-Policy')?.split('; ')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`style-src 'sha256-${hash}'`)
    expect(policy).toContain("script-src 'self'")
    expect(page.headers.get('Content-Security-Policy')).not.toContain('unsafe')
  })

  it('runs the script of all documentation, and requests nothing else', () => {
    for (const name of names) {
      const text = textOf(name)
      const scripts = [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
      expect(scripts).toEqual(['<script type="module" src="/scripts/docs.js">'])
      expect(text).not.toMatch(/<iframe|<img|<link rel="stylesheet"| on[a-z]+=| style=/i)
      const elsewhere = [...attributes(text, 'href'), ...attributes(text, 'src')].filter(
        (address) => !/^(#|\/|data:image\/svg)/.test(address),
      )
      expect(elsewhere).toEqual([])
      expect(text).not.toMatch(/@import|url\(/)
    }
  })

  it('has exactly one target for each link to itself and to other pages of the reference', () => {
    for (const name of names) {
      const text = textOf(name)
      const ids = attributes(text, 'id')
      expect(new Set(ids).size).toBe(ids.length)
      const links = attributes(text, 'href')
      const here = links.filter((address) => address.startsWith('#'))
      expect(here.filter((address) => !ids.includes(address.slice(1)))).toEqual([])
      const there = links.filter((address) => address.startsWith('/docs/reference'))
      expect(there.filter((address) => !names.map(addressOfReference).includes(address))).toEqual(
        [],
      )
      expect(attributes(text, 'aria-labelledby').filter((id) => !ids.includes(id))).toEqual([])
    }
  })

  it('has landmarks, a language, a way past the contents, and says which page it is', () => {
    const text = textOf('createVideo')
    expect(text).toMatch(/^<!doctype html><html lang="en">/)
    for (const landmark of ['<header', '<nav', '<main id="content"', '<footer']) {
      expect(text).toContain(landmark)
    }
    expect(text).toMatch(/<body><a class="skip" href="#content">/)
    expect(text).toMatch(/href="\/docs\/reference\/createVideo" aria-current="page"/)
  })

  it('leads to the next one', () => {
    const [, href] = / href="([^"]+)" rel="next"/.exec(textOf('')) ?? []
    expect(href).toBe(addressOfReference(names[1] ?? ''))
    expect(textOf(names.at(-1) ?? '')).not.toContain('rel="next"')
  })

  it('is missing for what the API does not have', async () => {
    expect((await send('/docs/reference/makeCoffee')).status).toBe(404)
  })
})

it('GET /docs/reference leads to every operation', () => {
  for (const item of Object.values(document.paths)) {
    for (const { operationId } of Object.values(item)) {
      expect(textOf('')).toContain(`href="${addressOfReference(operationId)}"`)
    }
  }
})

describe('the page of an operation', () => {
  it('has a command for the address it was asked at', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const command = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        return `$${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
      })
      if (/^\/(files|parts)\//.test(path)) continue
      for (const { operationId } of Object.values(item)) {
        expect(textOf(operationId)).toContain(`&quot;${bindings.BASE_URL}${command}&quot;`)
      }
    }
  })

  it('shows every field of a create request with its default and range', () => {
    const text = textOf('createVideo')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    expect(text).toContain('compressionQuality number no 100 1 to 100 1 makes the smallest file')
    expect(text).toContain('resizeMode string no &quot;cover&quot; cover , contain , stretch')
  })
})
