import { describe, expect, it } from 'vitest'
import type { VideoRecord } from '../../../../worker/contract/video/video-record.ts'
import { refreshLinks } from '../../../../worker/service/files/refresh-links.ts'

const fileBase = 'https://files.spool.test'
const link = (name: string) => `${fileBase}/files/${name}`

describe('refreshLinks', () => {
  it('gives outputs links that work again, and takes those whose file is gone', async () => {
    const data = {
      linksExpireAt: '2026-01-01T00:00:00.000Z',
      outputs: [
        { name: 'web', url: link('old-web'), bytes: 5 },
        { name: 'phone', url: link('old-phone'), bytes: 7 },
      ],
    }
    const fresh = {
      linksExpireAt: '2026-03-01T00:00:00.000Z',
      outputs: [{ name: 'web', url: link('new-web'), bytes: 5 }, { name: 'phone' }],
    } as Partial<VideoRecord> as VideoRecord
    const body = await refreshLinks(JSON.stringify({ type: 'video.succeeded', data }), {
      ...{ fileBase, now: Date.parse('2026-02-01T00:00:00.000Z') },
      readRecord: async () => Promise.resolve(fresh),
    })
    expect(JSON.parse(body ?? '{}')).toEqual({
      type: 'video.succeeded',
      data: {
        linksExpireAt: '2026-03-01T00:00:00.000Z',
        outputs: [
          { name: 'web', url: link('new-web'), bytes: 5 },
          { name: 'phone', bytes: 7 },
        ],
      },
    })
  })
})
