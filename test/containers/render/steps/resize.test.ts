import { describe, expect, it } from 'vitest'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import { planClips } from '../../../support/containers/films/plan-clips.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import {
  aspectRatios,
  resizeModes,
} from '../../../../worker/contract/options/picture/picture-fields.ts'
import { campaignAfter } from '../../../support/node/campaign.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'
import { colorDistance, firstFrame, rgbOf } from '../../../support/containers/films/frame-pixels.ts'
import { quarters } from '../../../support/containers/films/quarters.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { probe } from '../../../support/containers/run-tool.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 5_000 }

function planFor(size: string, options: Record<string, unknown>) {
  const [width = 0, height = 0] = size.split('x').map(Number)
  const clip = openClip('in0', someFacts({ video: { width, height } }), {})
  return planClips([clip], optionsSchema.parse(options), caps)
}

function sizeFor(size: string, options: Record<string, unknown>): string {
  const { width, height } = planFor(size, options)
  return `${width}x${height}`
}

const ratioOf = (name: string): number => {
  const [across = 1, down = 1] = name.split(':').map(Number)
  return across / down
}

const bt709 = ['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709']

describe('resize', () => {
  it.each(aspectRatios.filter((name) => name !== 'original'))(
    'makes every source %s in every mode, exact to the pixel, and no larger than necessary',
    (aspectRatio) => {
      const ratio = ratioOf(aspectRatio)
      for (const size of ['1920x1080', '1080x1920', '640x640', '321x241', '161x301']) {
        const [width = 0, height = 0] = size.split('x').map(Number)
        for (const resizeMode of resizeModes) {
          const planned = planFor(size, { aspectRatio, resizeMode })
          const off = Math.min(
            Math.abs(planned.width - planned.height * ratio),
            Math.abs(planned.height - planned.width / ratio),
          )
          expect(off, `${size} ${resizeMode}`).toBeLessThanOrEqual(1)
          const isInside = planned.width <= width && planned.height <= height
          if (resizeMode !== 'contain') expect(isInside, `${size} ${resizeMode}`).toBe(true)
        }
      }
    },
  )

  it('crops as little as possible, and adds the smallest possible bars', () => {
    expect(sizeFor('1920x1080', { aspectRatio: '9:16' })).toBe('608x1080')
    expect(sizeFor('1920x1080', { aspectRatio: '21:9' })).toBe('1920x822')
    expect(sizeFor('1920x1080', { aspectRatio: '1:1', resizeMode: 'stretch' })).toBe('1080x1080')
    expect(sizeFor('1920x1080', { aspectRatio: '1:1', resizeMode: 'contain' })).toBe('1920x1920')
    expect(sizeFor('321x241', { aspectRatio: '1:1', resizeMode: 'contain' })).toBe('320x320')
  })

  it('does nothing if the ratio stays the same', () => {
    for (const [size, aspectRatio] of [
      ['1920x1080', '16:9'],
      ['854x480', '16:9'],
      ['64x64', '1:1'],
      ['1920x1080', 'original'],
    ] as const) {
      expect(planFor(size, { aspectRatio, resizeMode: 'contain' }).video, size).toBe('copy')
    }
  })

  it('makes stretched pixels square even if they already have the requested shape, and leaves them if no shape is requested', () => {
    const facts = someFacts({ video: { width: 768, height: 576, hasSquarePixels: false } })
    const planned = (aspectRatio: string) => {
      const options = optionsSchema.parse({ aspectRatio })
      const { video, width, height } = planClips([openClip('in0', facts, {})], options, caps)
      return { video, width, height }
    }
    expect(planned('4:3')).toEqual({ video: 'encode', width: 768, height: 576 })
    expect(planned('original')).toMatchObject({ video: 'copy' })
  })

  it('keeps a frame around a huge picture within the limits of players', () => {
    const { width, height } = planFor('4320x7680', { aspectRatio: '21:9', resizeMode: 'contain' })
    expect([width, height]).toEqual([8192, 3510])
  })

  it('crops around the middle', async () => {
    const { file } = await renderVideo([{ file: await quarters('160x80') }], { aspectRatio: '1:1' })
    const frame = await firstFrame(file)
    expect([frame.width, frame.height]).toEqual([80, 80])
    expect(colorDistance(frame.at(37, 5), rgbOf('#ff0000'))).toBeLessThan(25)
    expect(colorDistance(frame.at(42, 5), rgbOf('#00ff00'))).toBeLessThan(25)
  })

  it('stretches the whole picture', async () => {
    const source = await quarters('160x80')
    const { file } = await renderVideo([{ file: source }], {
      aspectRatio: '1:1',
      resizeMode: 'stretch',
    })
    const frame = await firstFrame(file)
    expect([frame.width, frame.height]).toEqual([80, 80])
    for (const [x, y, color] of [
      [4, 4, '#ff0000'],
      [76, 4, '#00ff00'],
      [4, 76, '#0000ff'],
      [76, 76, '#ffffff'],
    ] as const) {
      expect(colorDistance(frame.at(x, y), rgbOf(color)), color).toBeLessThan(10)
    }
    expect((await probe(file)).streams[0]).toMatchObject({ sample_aspect_ratio: '1:1' })
  })

  for (const [i, backgroundColor] of ['#1a2b3c', '#87cefa'].entries()) {
    const title = `letterboxes in exactly ${backgroundColor}, for BT.601 and BT.709 alike`
    it(title, { tags: campaignAfter(1, i) }, async () => {
      const sources = [await quarters('160x80'), await quarters('160x80', bt709)]
      for (const source of sources) {
        const options = { aspectRatio: '1:1', resizeMode: 'contain', backgroundColor }
        const frame = await firstFrame((await renderVideo([{ file: source }], options)).file)
        expect([frame.width, frame.height]).toEqual([160, 160])
        // Away from the edge of the picture, where the encoder blurs a little.
        for (const y of [2, 28, 131, 157]) {
          expect(colorDistance(frame.at(80, y), rgbOf(backgroundColor)), `${y}`).toBeLessThan(3)
        }
        expect(colorDistance(frame.at(10, 56), rgbOf('#ff0000'))).toBeLessThan(5)
        expect(colorDistance(frame.at(150, 104), rgbOf('#ffffff'))).toBeLessThan(5)
      }
    })
  }
})
