import { describe, expect, it } from 'vitest'
import { mediaWarnings } from '../../../scripts/start/remote-media-workers.ts'
import { readSettings } from '../../../scripts/start/settings.ts'

const far = 'https://media-1.example.com,https://media-2.example.com'

describe('MEDIA_WORKER_URLS', () => {
  it('replaces the local media worker, unless some are asked for', () => {
    const BASE_URL = 'https://video.example.com'
    expect(readSettings({ MEDIA_WORKER_URLS: far, BASE_URL })).toMatchObject({
      MEDIA_WORKERS: 0,
      MEDIA_WORKER_URLS: far.split(','),
    })
    const both = readSettings({ MEDIA_WORKER_URLS: far, BASE_URL, MEDIA_WORKERS: '2' })
    expect(both.MEDIA_WORKERS).toBe(2)
  })

  it.each([
    [{ MEDIA_WORKERS: '0' }, 'MEDIA_WORKERS=0 needs MEDIA_WORKER_URLS'],
    [{ MEDIA_WORKER_URLS: far }, 'needs BASE_URL or REPORT_URL'],
    [{ MEDIA_WORKER_URLS: far, BASE_URL: 'http://localhost:8787' }, 'needs BASE_URL or REPORT_URL'],
    [{ MEDIA_WORKER_URLS: 'media-1' }, 'must be an http or https address'],
    [{ MEDIA_WORKER_TOKEN: `a 'token' of a person` }, 'must not contain a quote'],
    [{ MEDIA_WORKER_TOKEN: 'short' }, 'MEDIA_WORKER_TOKEN=… must have at least 16 characters'],
  ])('refuses %j with advice', (env, message) => {
    expect(() => readSettings(env)).toThrow(message)
  })
})

describe('mediaWarnings', () => {
  it('names every address at which jobs or videos cross a network unencrypted', () => {
    const warnings = mediaWarnings(
      readSettings({
        MEDIA_WORKER_URLS: 'http://10.0.0.7:8788, https://media-2.example.com',
        BASE_URL: 'https://video.example.com',
        REPORT_URL: 'http://10.0.0.5:8787',
      }),
    )
    expect(warnings.map((text) => text.split(' ')[1])).toEqual([
      'http://10.0.0.7:8788',
      'http://10.0.0.5:8787',
    ])
  })

  it('says nothing of this machine, of https, or without media workers elsewhere', () => {
    const quiet = [
      {},
      { MEDIA_WORKER_URLS: 'http://127.0.0.1:8788' },
      { MEDIA_WORKER_URLS: far, BASE_URL: 'https://video.example.com' },
    ]
    for (const env of quiet) expect(mediaWarnings(readSettings(env))).toEqual([])
  })
})
