import { describe, expect, it } from 'vitest'
import { nothingAt } from '../../../worker/http/point-to-route.ts'

describe('an address that leads to nothing', () => {
  it.each([
    ['POST', '/v1/video', 'POST /v1/videos'],
    ['GET', '/v1/video/v_3RB6SiNw', 'GET /v1/videos/v_3RB6SiNw'],
    ['GET', '/v1/videos/', 'GET /v1/videos'],
    ['POST', '/videos', 'POST /v1/videos'],
    ['POST', '/api/v1/videos', 'POST /v1/videos'],
    ['GET', '/v2/videos', 'GET /v1/videos'],
    ['POST', '/v1/assets', 'POST /v1/videos'],
    ['POST', '/v1/video/trim', 'POST /v1/videos'],
    ['GET', '/v1/videos/v_3RB6SiNw/status', 'GET /v1/videos/v_3RB6SiNw'],
    ['GET', '/v1/videos/v_3RB6SiNw/transcription', 'GET /v1/videos/v_3RB6SiNw/transcript'],
    ['PUT', '/v1/template/podcast', 'PUT /v1/presets/podcast'],
    ['POST', '/v1/upload', 'POST /v1/uploads'],
    ['POST', '/v1/webhooks', 'POST /v1/webhooks/endpoints'],
    ['GET', '/v1/health', '/health'],
    ['GET', '/swagger.json', '/openapi.json'],
    ['POST', '/v1/mcp', '/mcp'],
    ['GET', '/login', '/app/sign-in'],
    ['GET', '/app/video', '/app/videos'],
  ])('%s %s names %s', (method, path, meant) => {
    const { code, message } = nothingAt(method, path)
    expect(code).toBe('NotFound')
    expect(message).toBe(`There is nothing at this address. Did you mean ${meant}?`)
  })

  it('leaves the method out where the path that was meant does not answer it', () => {
    expect(nothingAt('PUT', '/v1/video').message).toContain('Did you mean /v1/videos?')
  })

  it.each(['/', '/v1', '/v1/cameras', '/wp-login.php', '/.env', `/v1/video/${'a'.repeat(1000)}`])(
    'names none for %s',
    (path) => {
      expect(nothingAt('GET', path).message).toBe('There is nothing at this address.')
    },
  )

  it('names no path that needs a token', () => {
    expect(nothingAt('GET', '/app/resets/abc_1').message).not.toContain('/reset/')
  })
})
