import { beforeAll, describe, expect, it } from 'vitest'
import { bindings } from '../../support/worker/bindings.ts'
import { send, type Answer } from '../../support/worker/client.ts'
import { document } from './documented.ts'

let page: Answer
beforeAll(async () => {
  page = await send('/docs/reference')
})

function attributes(name: string): string[] {
  return [...page.text.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(
    ([, value]) => value ?? '',
  )
}

describe('GET /docs/reference', () => {
  it('allows nothing but its one style sheet, named by its hash, and the scripts of the service', async () => {
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
    const scripts = [...page.text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    expect(scripts).toEqual(['<script type="module" src="/scripts/docs.js">'])
    expect(page.text).not.toMatch(/<iframe|<img|<link rel="stylesheet"| on[a-z]+=| style=/i)
    const elsewhere = [...attributes('href'), ...attributes('src')].filter(
      (address) => !/^(#|\/|data:image\/svg)/.test(address),
    )
    expect(elsewhere).toEqual([])
    expect(page.text).not.toMatch(/@import|url\(/)
  })

  it('has exactly one target for each of its own links', () => {
    const ids = attributes('id')
    expect(new Set(ids).size).toBe(ids.length)
    const targets = attributes('href').filter((address) => address.startsWith('#'))
    expect(targets.filter((address) => !ids.includes(address.slice(1)))).toEqual([])
    const labels = attributes('aria-labelledby')
    expect(labels.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('has one heading of the first level, and skips no level', () => {
    const levels = [...page.text.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toEqual([1])
    expect(levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)).toEqual([])
  })

  it('has landmarks, a language, and a way past the contents', () => {
    expect(page.text).toMatch(/^<!doctype html><html lang="en">/)
    for (const landmark of ['<header', '<nav', '<main id="content"', '<footer']) {
      expect(page.text).toContain(landmark)
    }
    expect(page.text).toMatch(/<body><a class="skip" href="#content">/)
  })

  it('shows every operation with a command for the address it was asked at', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      for (const operation of Object.values(item)) {
        expect(page.text).toContain(`id="${operation.operationId}"`)
      }
      const command = path
        .replace('{videoId}', '$VIDEO_ID')
        .replace('{jobId}', '$JOB_ID')
        .replace('{deliveryId}', '$DELIVERY_ID')
        .replace('{uploadId}', '$UPLOAD_ID')
        .replace('{keyId}', '$KEY_ID')
        .replace('{endpointId}', '$ENDPOINT_ID')
        .replace('{presetName}', '$PRESET_NAME')
      if (!/^\/(files|parts)\//.test(path)) {
        expect(page.text).toContain(`&quot;${bindings.BASE_URL}${command}&quot;`)
      }
    }
  })

  it('shows every field of a create request with its default and range', () => {
    const text = page.text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain('compressionQuality number no 100 1 to 100 1 makes the smallest file')
    expect(text).toContain('resizeMode string no &quot;cover&quot; cover , contain , stretch')
  })
})
