import { describe, expect, it } from 'vitest'
import { home, safeNext } from '../../../worker/app/session/safe-next.ts'

describe('safeNext', () => {
  it('keeps an address of the dashboard, with its query', () => {
    expect(safeNext('/app/keys')).toBe('/app/keys')
    expect(safeNext('/app/videos?status=failed&q=a%20b')).toBe('/app/videos?status=failed&q=a%20b')
  })

  it.each([
    undefined,
    '',
    'https://evil.example/app/videos',
    '//evil.example/app/videos',
    '/\\evil.example/app/',
    '\\\\evil.example',
    '/\t/evil.example/app/',
    '/app/..//evil.example',
    '/app/../../evil.example',
    '/app/%2e%2e//evil.example',
    '/app//evil.example',
    'javascript:alert(1)',
    '/app/\u0000',
    '/apple',
    '/v1/videos',
    '/app/api/videos',
    '/app/../v1/videos',
    ' /app/videos',
    '/app/@evil.example:x\\..\\..//evil.example',
  ])('leaves %j for the first page', (text) => {
    const to = safeNext(text)
    expect(new URL(to, 'https://own.example').origin).toBe('https://own.example')
    expect(to === home || to.startsWith('/app/')).toBe(true)
    expect(to).not.toContain('//')
  })
})
