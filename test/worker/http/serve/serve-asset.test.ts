import { expect, it } from 'vitest'
import { send } from '../../../support/worker/client.ts'

it('serves the files of worker/public with the headers of every answer', async () => {
  const robots = await send('/robots.txt')
  expect(robots.status).toBe(200)
  expect(robots.text).toContain('Disallow: /')
  expect(robots.headers.get('X-Content-Type-Options')).toBe('nosniff')
  expect(robots.headers.get('X-Request-Id')).toMatch(/^req_/)
  const icon = await send('/favicon.svg')
  expect(icon.headers.get('Content-Type')).toContain('image/svg+xml')
})
