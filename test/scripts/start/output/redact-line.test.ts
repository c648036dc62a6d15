import { describe, expect, it } from 'vitest'
import { jsonOf } from '../../../../scripts/start/output/log-files.ts'
import { redactLine } from '../../../../scripts/start/output/redact-line.ts'

const token = 'v_ktW9yleo.final.1795863088.a85deb584793aa41807c44d5'
const query = '?X-Amz-Expires=900&X-Amz-Signature=0badcafe&x-id=PutObject'

describe('redactLine', () => {
  it.each([
    [`[wrangler:info] GET /files/${token}/talk.mov 200 OK (9ms)`, ' /files/…/talk.mov 200 OK'],
    [
      `GET http://127.0.0.1:8787/files/${token}/a.mp4?x=1`,
      'http://127.0.0.1:8787/files/…/a.mp4?x=1',
    ],
    [`HEAD /files/${token} 404`, 'HEAD /files/… 404'],
    [`/files/${token}/a and /files/${token}/b`, '/files/…/a and /files/…/b'],
  ])('takes the token out of a link: %s', (line, kept) => {
    expect(redactLine(line)).toContain(kept)
    expect(redactLine(line)).not.toContain(token)
  })

  const part = `u_3RB6SiNwktW9yleo.12.1795863088.${'a85deb58'.repeat(8)}`

  it.each([
    [`[wrangler:info] PUT /parts/${part} 200 OK (9ms)`, ' /parts/… 200 OK'],
    [`OPTIONS http://127.0.0.1:8787/parts/${part}?x=1 204`, '/parts/…?x=1 204'],
    [`PUT /%70arts/${part} 200`, 'PUT /%70arts/… 200'],
    [`PUT /PARTS//${part} 404`, '… 404'],
    [`Error: no stream for ${part}: gone`, 'for …: gone'],
  ])('takes the token out of an address for a part: %s', (line, kept) => {
    expect(redactLine(line)).toContain(kept)
    expect(redactLine(line)).not.toMatch(/u_3RB6|a85deb58/)
  })

  it('drops the query of a presigned address', () => {
    const line = `PUT /cdn-cgi/local/r2/s3/spool-media/a/b${query} 200 OK`
    expect(redactLine(line)).toBe('PUT /cdn-cgi/local/r2/s3/spool-media/a/b 200 OK')
  })

  it('leaves a JSON line valid', () => {
    const fields = { fault: `/parts/${part}`, token: part, path: `/files/${token}` }
    const line = JSON.stringify({ ...fields, url: `http://a.example/b${query}`, status: 200 })
    expect(jsonOf(redactLine(line))?.fields).toEqual({
      ...{ fault: '/parts/…', token: '…', path: '/files/…' },
      ...{ url: 'http://a.example/b', status: 200 },
    })
  })

  it.each(['[wrangler:info] GET /v1/videos?limit=5 200 OK', '{"path":"/files/"}', ''])(
    'leaves other lines as they are: %j',
    (line) => expect(redactLine(line)).toBe(line),
  )
})
