import { describe, expect, it } from 'vitest'
import {
  guideSections,
  guideAddress,
  markdownAddressOf,
  writtenBaseUrl,
} from '../../../../worker/reference/guides/guide-list.ts'
import { createApp } from '../../../../worker/app.ts'
import { bindings } from '../../../support/worker/bindings.ts'
import { send } from '../../../support/worker/client.ts'

const entries = guideSections.flatMap(({ pages }) => pages)

/** As somebody else's service would answer, whose address is not the one that the Markdown has. */
async function sendElsewhere(path: string): Promise<string> {
  const answer = await createApp().request(
    path,
    {},
    { ...bindings, BASE_URL: 'https://video.example.org' },
  )
  return answer.text()
}

describe('GET /docs and below', () => {
  it('serves every page of the list, as a page and as Markdown', async () => {
    for (const { file, title } of entries) {
      const page = await send(guideAddress(file))
      expect(page.status, file).toBe(200)
      expect(page.headers.get('Content-Type')).toContain('text/html')
      expect(page.text).toContain(`aria-current="page">${title}</a>`)
      const markdown = await send(markdownAddressOf(file))
      expect(markdown.headers.get('Content-Type')).toBe('text/markdown; charset=utf-8')
      expect(markdown.text).toMatch(/^# /)
      expect(markdown.text).not.toContain('<!--')
    }
  })

  it('shows its own address in what readers paste, in pages and in Markdown', async () => {
    for (const path of ['/docs', '/docs/index.md', '/docs/api', '/llms.txt', '/llms-full.txt']) {
      const text = await sendElsewhere(path)
      expect(text, path).toContain('https://video.example.org')
      expect(text, path).not.toContain(writtenBaseUrl)
    }
  })

  it('lets a page run the scripts of the service and nothing else', async () => {
    const page = await send('/docs/webhooks')
    const policy = page.headers.get('Content-Security-Policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(page.text).not.toMatch(/ on[a-z]+="| style="/)
    expect([...page.text.matchAll(/<script[^>]*>/g)]).toHaveLength(1)
  })

  it('answers 304 to a browser that has the page', async () => {
    const { headers } = await send('/docs/api')
    const again = await send('/docs/api', {
      headers: { 'If-None-Match': headers.get('ETag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  it('serves the clips of the examples and the index of the search', async () => {
    const clip = await send('/docs/examples/talk.mp4')
    expect(clip.headers.get('Content-Type')).toBe('video/mp4')
    const records = JSON.parse((await send('/docs/search.json')).text) as { href: string }[]
    expect(records.map(({ href }) => href)).toContain('/docs/webhooks#checking-the-signature')
    expect(records.map(({ href }) => href)).toContain('/docs/reference/createVideo')
  })

  it('serves a clip in parts, so that a player can jump in it', async () => {
    const path = '/docs/examples/talk.mp4'
    const whole = await send(path)
    const etag = whole.headers.get('ETag') ?? ''
    const part = async (headers: Record<string, string>) => send(path, { headers })
    const middle = await part({ Range: 'bytes=4-7' })
    expect([middle.status, middle.text]).toEqual([206, 'ftyp'])
    const [, size = ''] = /^bytes 4-7\/(\d+)$/.exec(middle.headers.get('Content-Range') ?? '') ?? []
    expect(Number(size)).toBeGreaterThan(10_000)
    expect((await part({ Range: 'bytes=4-7', 'If-Range': etag })).status).toBe(206)
    expect((await part({ Range: 'bytes=4-7', 'If-Range': '"other"' })).status).toBe(200)
    const beyond = await part({ Range: `bytes=${size}-` })
    expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, `bytes */${size}`])
  })

  it('leads a trailing slash to the page', async () => {
    const answer = await send('/docs/')
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      301,
      `${bindings.BASE_URL}/docs`,
    ])
  })

  it('has nothing else', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/examples/none.mp4',
      '/docs/examples/..%2fapi.json',
      '/docs/api.json',
      '/guides/api.json',
    ]) {
      expect((await send(path)).status, path).toBe(404)
    }
  })
})

it('GET /llms.txt names every page with the address of its Markdown', async () => {
  const { text } = await send('/llms.txt')
  for (const { file, title } of entries) {
    expect(text).toContain(`- [${title}](${bindings.BASE_URL}${markdownAddressOf(file)}): `)
  }
})
