import { expect, it } from 'vitest'
import type { VideoRecord } from '../../../../worker/contract/video/video-record.ts'
import { refreshLinks } from '../../../../worker/service/files/refresh-links.ts'

const fileBase = 'https://files.spool.test'
const link = (name: string) => `${fileBase}/files/${name}`

it('refreshLinks gives every file a link that works again, and takes those whose file is gone', async () => {
  const data = {
    linksExpireAt: '2026-01-01T00:00:00.000Z',
    outputs: [
      { name: 'web', url: link('old-web'), bytes: 5, checks: [{ stillUrl: link('old') }] },
      { name: 'phone', url: link('old-phone'), bytes: 7 },
    ],
    translations: [{ language: 'es', vttUrl: link('old-vtt'), srtUrl: link('old-srt') }],
    checks: [{ name: 'black', stillUrl: link('old-still') }, { name: 'size' }],
    metadata: { checks: link('kept') },
    elements: [{ type: 'image', url: link('kept') }],
  }
  const fresh = {
    linksExpireAt: '2026-03-01T00:00:00.000Z',
    outputs: [
      { name: 'web', url: link('new-web'), bytes: 5, checks: [{ stillUrl: link('new') }] },
      { name: 'phone' },
    ],
    translations: [{ language: 'es', vttUrl: link('new-vtt') }],
    checks: [{ name: 'black', stillUrl: link('new-still') }, { name: 'size' }],
  } as unknown as VideoRecord
  const body = await refreshLinks(JSON.stringify({ type: 'video.succeeded', data }), {
    ...{ fileBase, now: Date.parse('2026-02-01T00:00:00.000Z') },
    readRecord: async () => Promise.resolve(fresh),
  })
  expect(JSON.parse(body ?? '{}')).toEqual({
    type: 'video.succeeded',
    data: {
      linksExpireAt: '2026-03-01T00:00:00.000Z',
      outputs: [
        { name: 'web', url: link('new-web'), bytes: 5, checks: [{ stillUrl: link('new') }] },
        { name: 'phone', bytes: 7 },
      ],
      translations: [{ language: 'es', vttUrl: link('new-vtt') }],
      checks: [{ name: 'black', stillUrl: link('new-still') }, { name: 'size' }],
      metadata: { checks: link('kept') },
      elements: [{ type: 'image', url: link('kept') }],
    },
  })
})
