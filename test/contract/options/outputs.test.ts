import { expect, it } from 'vitest'
import { faultsOf } from '../../support/node/create-faults.ts'

it('outputs take what differs from the request', () => {
  const outputs = [
    { name: 'web' },
    { name: 'phone', aspectRatio: '9:16', captions: { style: 'box' } },
    { name: 'plain', captions: false, outputFormat: 'webm', compressionQuality: 40 },
    { name: 'podcast', outputFormat: 'mp3' },
    { name: 'new', videoCodec: 'av1', maxBytes: 1_000_000, maxBitrate: 500_000 },
    { name: 'exact', width: 1280, height: 720 },
    ...[29.97, '24000/1001'].map((fps, i) => ({ name: `rate${i}`, fps })),
    { name: 'tv', outputFormat: 'hls', heights: [720, 360], fps: 60, aspectRatio: '9:16' },
    { name: 'sizes', outputFormat: 'hls', heights: [480, 1080, 432] },
  ]
  expect(faultsOf({ fileUrl: 'https://example.com/talk.mp4', captions: {}, outputs })).toEqual([])
})
