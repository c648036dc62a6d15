import { describe, expect, it } from 'vitest'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'
import {
  colorDistance,
  framesOf,
  rgbOf,
  type Frame,
} from '../../../support/containers/films/frame-pixels.ts'
import { planClips } from '../../../support/containers/films/plan-clips.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeFile } from '../../../support/node/fixtures.ts'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'

const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p']
const bt709 = ['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709']

async function pattern(): Promise<string> {
  const picture = 'testsrc2=s=160x90:r=25:d=0.2'
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...bt709, ...lossless])
}

async function plain(color: string, seconds: number, size = '64x36'): Promise<string> {
  const picture = `color=${color}:s=${size}:r=25:d=${seconds}`
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...bt709, ...lossless])
}

async function picturesOf(file: string, asked: Record<string, unknown>): Promise<Frame[]> {
  return framesOf((await renderVideo([{ file }], asked)).file)
}

/** How far the pixels of a picture are from what is expected of them, on average. */
function meanOff(frame: Frame | undefined, wanted: Frame['at']): number {
  const step = 3
  let sum = 0
  let count = 0
  for (let y = 0; y < (frame?.height ?? 0); y += step) {
    for (let x = 0; x < (frame?.width ?? 0); x += step, count++) {
      sum += colorDistance(frame?.at(x, y) ?? [0, 0, 0], wanted(x, y))
    }
  }
  return sum / count
}

function plan(asked: Record<string, unknown>) {
  const clip = openClip('in0', someFacts({ video: { width: 1920, height: 1080 } }), {})
  const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 1e9 }
  return planClips([clip], optionsSchema.parse(asked), caps)
}

/** What an encode at full quality may change; a pattern that is moved by two pixels is four times as far off. */
const coded = 4

describe('crop', () => {
  it('keeps exactly the rectangle, in pixels and in percent', async () => {
    const file = await pattern()
    const [source] = await framesOf(file, 1)
    const crops = [
      { x: 20, y: 10, width: 80, height: 60 },
      { x: '12.5%', y: '11.2%', width: '50%', height: '66.7%' },
    ]
    for (const crop of crops) {
      const [frame] = await picturesOf(file, { crop })
      expect([frame?.width, frame?.height]).toEqual([80, 60])
      const wanted: Frame['at'] = (x, y) => source?.at(x + 20, y + 10) ?? [0, 0, 0]
      expect(meanOff(frame, wanted)).toBeLessThan(coded)
    }
  })

  it('happens to the upright picture, before it is mirrored and shaped', async () => {
    const file = await pattern()
    const [turned] = await picturesOf(file, { rotate: 90 })
    const crop = { x: 10, y: 40, width: 40, height: 80 }
    const [frame] = await picturesOf(file, { rotate: 90, crop, flip: 'horizontal' })
    expect([frame?.width, frame?.height]).toEqual([40, 80])
    const wanted: Frame['at'] = (x, y) => turned?.at(49 - x, y + 40) ?? [0, 0, 0]
    expect(meanOff(frame, wanted)).toBeLessThan(coded)
    expect(plan({ crop: { width: 960 }, aspectRatio: '1:1' })).toMatchObject({
      ...{ width: 960, height: 960 },
      steps: ['crop', 'resize'],
    })
  })

  it('names the size of a picture that it reaches outside of', () => {
    const asked = { crop: { x: 1500, width: 800 } }
    expect(() => plan(asked)).toThrow(
      'crop: x and width reach outside of the picture: the source has 1920 × 1080 pixels.',
    )
    expect(() => plan({ crop: { y: 1080 } })).toThrow(/y and height reach outside/)
  })

  it('takes no more bytes than the source has for the pixels that are kept', () => {
    const { budget } = plan({ crop: { width: '25%' }, compressionQuality: 99 })
    expect(budget?.stretches.map(({ share }) => share)).toEqual([expect.closeTo(0.25 * 0.996)])
  })

  it('copies a picture that is kept whole', () => {
    expect(plan({ crop: { x: 0, width: '100%' } }).video).toBe('copy')
  })
})

it('flip mirrors the picture', async () => {
  const file = await pattern()
  const [source] = await framesOf(file, 1)
  const [across, down, both] = await Promise.all(
    ['horizontal', 'vertical', 'both'].map(async (flip) => picturesOf(file, { flip })),
  )
  const at: Frame['at'] = (x, y) => source?.at(x, y) ?? [0, 0, 0]
  const pairs = [
    [across, (x: number, y: number) => at(159 - x, y)],
    [down, (x: number, y: number) => at(x, 89 - y)],
    [both, (x: number, y: number) => at(159 - x, 89 - y)],
  ] as const
  for (const [frames, wanted] of pairs) {
    expect(meanOff(frames?.[0], wanted)).toBeLessThan(coded)
  }
})

describe('fadeIn and fadeOut', () => {
  it('blend the film from and to exact colours, picture by picture', async () => {
    const frames = await picturesOf(await plain('0x406080', 2), {
      fadeIn: { duration: 0.4 },
      fadeOut: { duration: 0.8, color: '#ff8000' },
    })
    expect(frames).toHaveLength(50)
    const blend = (from: string, to: string, share: number): number[] =>
      rgbOf(from).map((value, i) => value + ((rgbOf(to)[i] ?? 0) - value) * share)
    for (const [i, frame] of frames.entries()) {
      const rising = Math.min(1, i / 10)
      const sinking = Math.max(0, (i - 30) / 20)
      const wanted =
        sinking > 0 ? blend('#406080', '#ff8000', sinking) : blend('#000000', '#406080', rising)
      const [r = 0, g = 0, b = 0] = wanted
      expect(colorDistance(frame.at(30, 20), [r, g, b]), `picture ${i}`).toBeLessThan(4)
    }
  })

  it('last no longer than the film, and cover what lies on it', async () => {
    const text = { type: 'text', text: '█████', size: { width: '90%' }, color: '#ffffff' }
    const frames = await picturesOf(await plain('red', 0.4), {
      fadeIn: { duration: 10, color: '#0000ff' },
      elements: [text],
    })
    expect(frames).toHaveLength(10)
    const first = frames[0]
    const edge = [first?.at(2, 2), first?.at(32, 18)].map((seen) =>
      colorDistance(seen ?? [0, 0, 0], rgbOf('#0000ff')),
    )
    expect(Math.max(...edge)).toBeLessThan(6)
  })
})

it('backgroundColor: blur fills the bars with the picture itself, blurred, and leaves the picture as it is', async () => {
  const halves = await makeFile('mp4', [
    ...['-f', 'lavfi', '-i', 'color=red:s=160x90:r=25:d=0.2,drawbox=x=80:w=80:c=blue:t=fill'],
    ...bt709,
    ...lossless,
  ])
  const asked = { aspectRatio: '9:16', resizeMode: 'contain', backgroundColor: 'blur' }
  const [frame] = await picturesOf(halves, asked)
  const [bars] = await picturesOf(halves, { ...asked, backgroundColor: '#000000' })
  const [width, height] = [frame?.width ?? 0, frame?.height ?? 0]
  expect([width, height]).toEqual([bars?.width, bars?.height])
  const middle = Math.round(height / 2)
  for (const x of [4, 30, 60, width - 60, width - 30, width - 4]) {
    const [is, was] = [frame?.at(x, middle), bars?.at(x, middle)]
    expect(colorDistance(is ?? [0, 0, 0], was ?? [255, 255, 255]), `${x}`).toBeLessThan(10)
  }
  const above = (x: number) => frame?.at(x, 20) ?? [0, 0, 0]
  // The middle of the source fills the frame, so the bars go from red to blue.
  expect(above(2)[0]).toBeGreaterThan(180)
  expect(above(width - 3)[2]).toBeGreaterThan(180)
  const [red, , blue] = above(Math.round(width / 2))
  expect([red > 60, blue > 60]).toEqual([true, true])
})

describe('files[].fit', () => {
  it('fits one clip in its own way', async () => {
    const [wide, tall] = [await plain('red', 0.2, '64x36'), await plain('lime', 0.2, '36x64')]
    const asked = { aspectRatio: '16:9', resizeMode: 'cover', backgroundColor: '#0000ff' }
    const { file } = await renderVideo(
      [{ file: wide }, { file: tall }, { file: tall, asked: { fit: 'contain' } }],
      asked,
    )
    const frames = await framesOf(file)
    const corners = [0, 7, 12].map((i) => frames[i]?.at(2, 18))
    for (const [i, color] of ['#ff0000', '#00ff00', '#0000ff'].entries()) {
      expect(colorDistance(corners[i] ?? [0, 0, 0], rgbOf(color))).toBeLessThan(30)
    }
  })

  it('takes precedence over resizeMode for a single clip, too', async () => {
    const asked = { aspectRatio: '1:1', backgroundColor: '#0000ff' }
    const tall = await plain('lime', 0.2, '36x64')
    const { file } = await renderVideo([{ file: tall, asked: { fit: 'contain' } }], asked)
    const [frame] = await framesOf(file)
    expect(colorDistance(frame?.at(2, 18) ?? [0, 0, 0], rgbOf('#0000ff'))).toBeLessThan(30)
  })
})
