import { describe, expect, it } from 'vitest'
import { optionsSchema } from '../../../worker/contract/options.ts'
import { qualityOfSameLook, sameLook } from '../../../containers/render/same-look.ts'
import { planRender } from '../../../containers/render/plan-render.ts'
import { openClip } from '../../../containers/render/open-clip.ts'
import type { MediaFacts } from '../../../containers/timeline/media-facts.ts'
import { someFacts } from '../../support/containers/facts.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 1e9 }

function planOf(facts: MediaFacts, asked: Record<string, unknown>) {
  return planRender([openClip('in0', facts, {})], optionsSchema.parse(asked), caps)
}

describe('the number of bytes that keep the same look', () => {
  it('grows with the advantage of the source’s codec', () => {
    const of = (codec: string, format = 'mp4') =>
      sameLook(someFacts({ video: { codec, bitRate: 800_000 } }), format, 128_000).enoughBytes
    expect(of('hevc')).toBeGreaterThan(of('vp8'))
    expect(of('vp8')).toBeGreaterThan(of('mjpeg'))
    expect(of('hevc', 'webm')).toBeLessThan(of('hevc'))
    // Four seconds of 100,000 bytes, of sound at 16,000, and a header.
    expect(of('mjpeg')).toBe(400_000 + 64_000 + 20_000)
  })

  it('leads to a lower quality if it is exceeded early, but never to a visible loss', () => {
    const look = { enoughBytes: 1_000, pictureSeconds: 10, leastQuality: 50 }
    expect(qualityOfSameLook(look, { sizeBytes: 1_000, seconds: 9.9 })).toBe(99)
    const half = qualityOfSameLook(look, { sizeBytes: 1_000, seconds: 5 })
    expect(half).toBeLessThan(90)
    expect(qualityOfSameLook(look, { sizeBytes: 1_000, seconds: 0.1 })).toBeLessThan(half)
    expect(qualityOfSameLook(look, { sizeBytes: 1_000, seconds: 0 })).toBe(50)
  })

  it('limits only quality 100 of a picture that cannot be copied', () => {
    const vp9 = someFacts({ format: 'webm', video: { codec: 'vp9' }, audio: { codec: 'opus' } })
    expect(planOf(vp9, {}).sameLook).toBeDefined()
    expect(planOf(vp9, { outputFormat: 'webm' }).sameLook).toBeUndefined()
    expect(planOf(vp9, { compressionQuality: 99 }).sameLook).toBeUndefined()
    expect(planOf(vp9, { aspectRatio: '1:1' }).sameLook).toBeUndefined()
  })
})

describe('a copy instead of a result that became larger', () => {
  const isOffered = (changes: Parameters<typeof someFacts>[0], outputFormat = 'mp4') =>
    planOf(someFacts(changes), { compressionQuality: 60, outputFormat }).remux !== undefined

  it('is taken of what an encode would show', () => {
    expect(isOffered({})).toBe(true)
    const vp9 = { format: 'webm', video: { codec: 'vp9' }, audio: { codec: 'opus' } } as const
    expect(isOffered(vp9, 'webm')).toBe(true)
  })

  it.each([
    ['ten bits', { pixelFormat: 'yuv420p10le' }],
    ['4:4:4', { pixelFormat: 'yuv444p' }],
    ['full range', { isFullRange: true }],
    ['high dynamic range', { transfer: 'hlg' as const }],
    ['a turned picture', { isTurned: true }],
    ['stretched pixels', { hasSquarePixels: false }],
    [
      'fields',
      { scan: { kind: 'interlaced' as const, firstField: 'top' as const, isMarked: true } },
    ],
    ['a codec that not every browser plays', { codec: 'hevc' }],
  ])('is not taken of %s', (_what, video) => {
    expect(isOffered({ video })).toBe(false)
  })
})
