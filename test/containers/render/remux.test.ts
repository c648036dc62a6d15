import { describe, expect, it } from 'vitest'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { planClips } from '../../support/containers/films/plan-clips.ts'
import { openClip } from '../../../containers/render/frame/open-clip.ts'
import type { MediaFacts } from '../../../containers/timeline/media-facts.ts'
import { someFacts } from '../../support/containers/films/facts.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 1e9 }

function planOf(facts: MediaFacts, asked: Record<string, unknown>) {
  return planClips([openClip('in0', facts, {})], optionsSchema.parse(asked), caps)
}

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
