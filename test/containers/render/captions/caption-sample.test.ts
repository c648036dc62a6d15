import { describe, expect, it } from 'vitest'
import { planCaptionLook } from '../../../../containers/render/captions/caption-look.ts'
import { sampleCaptions } from '../../../../worker/app/new-video/caption-sample.ts'
import type { Captions } from '../../../../worker/contract/options/captions.ts'

const frames = [
  { width: 1920, height: 1080 },
  { width: 1080, height: 1920 },
  { width: 1080, height: 1080 },
  { width: 1080, height: 1350 },
  { width: 640, height: 480 },
]
const asked: readonly Captions[] = [
  {},
  { style: 'box', position: 'top' },
  { style: 'karaoke', position: 'middle', size: '5%' },
  { size: 40 },
]

describe('sampleCaptions', () => {
  const cases = frames.flatMap((frame) => asked.map((captions) => ({ frame, captions })))

  it.each(cases)('is where the media worker draws them: $frame, $captions', (one) => {
    const { frame, captions } = one
    const look = planCaptionLook(captions, frame)
    const sample = sampleCaptions({ captions }, frame)
    if (!sample) throw new Error('no captions are drawn')
    const pixels = (percent: number) => (percent / 100) * frame.height
    expect(pixels(sample.letters)).toBeCloseTo(look.fontSize, 3)
    const lines = 2
    const text = lines * look.lineHeight * look.fontSize
    // The room around the letters belongs to the box, with or without one.
    const padding = captions.style === 'box' ? 0.2 * look.fontSize : 0
    const edges = {
      top: pixels(sample.top) + padding,
      middle: (frame.height - text) / 2,
      bottom: frame.height - pixels(sample.bottom) - text - padding,
    }
    expect(edges[sample.place]).toBeCloseTo(look.topOf(lines), 3)
  })

  it('shows none where none are drawn', () => {
    const frame = { width: 1920, height: 1080 }
    expect(sampleCaptions({}, frame)).toBeUndefined()
    expect(sampleCaptions({ captions: { embed: true } }, frame)).toBeUndefined()
    expect(sampleCaptions({ captions: { embed: true, burn: true } }, frame)).toBeDefined()
  })
})
