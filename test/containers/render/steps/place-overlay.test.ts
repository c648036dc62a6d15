import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { runFfmpeg } from '../../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { compilePlan } from '../../../../containers/render/plan-render.ts'
import { anchors } from '../../../../worker/contract/options/elements/element-fields.ts'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'
import {
  halfImage,
  plainImage,
  plainVideo,
  threeColorGif,
  turnedJpeg,
} from '../../../support/containers/films/element-files.ts'
import {
  colorDistance,
  firstFrame,
  rgbOf,
  framesOf,
  type Frame,
} from '../../../support/containers/films/frame-pixels.ts'
import { expectColor, overlay } from '../../../support/containers/films/overlay-elements.ts'
import { type RenderedVideo, renderVideo } from '../../../support/containers/films/render-video.ts'
import { campaign } from '../../../support/node/campaign.ts'

const black = rgbOf('#000000')
const red = rgbOf('#ff0000')
const lime = rgbOf('#00ff00')
const blue = rgbOf('#0000ff')
const white = rgbOf('#ffffff')

describe('placeOverlay', () => {
  it('puts an element at each of the nine anchors, exact to the pixel', async () => {
    const file = await plainImage('#ffffff', '32x32')
    const asked = anchors.map((anchor) => ({ file, position: { anchor } }))
    const frame = await firstFrame((await overlay(await plainVideo(), asked)).file)
    for (const left of [0, 144, 288]) {
      for (const top of [0, 104, 208]) {
        for (const [x, y] of [
          [left + 1, top + 1],
          [left + 30, top + 30],
        ] as const) {
          expectColor(frame, [x, y], white)
        }
        expectColor(frame, [left === 288 ? 284 : left + 36, top + 16], black)
        expectColor(frame, [left + 16, top === 208 ? 204 : top + 36], black)
      }
    }
  })

  it('takes x and y as the top left corner, also on odd pixels', async () => {
    const asked = [
      { file: await plainImage('#ffffff', '33x31'), position: { x: '10.3125%', y: '10.4167%' } },
      { file: await plainImage('#ffffff', '33x31'), position: { anchor: 'bottom-right' } },
    ]
    const frame = await firstFrame((await overlay(await plainVideo(), asked)).file)
    const levels = (xs: readonly number[], y: number) => xs.map((x) => frame.at(x, y)[1] > 128)
    expect(levels([32, 33, 65, 66], 40)).toEqual([false, true, true, false])
    expect([24, 25, 55, 56].map((y) => frame.at(50, y)[1] > 128)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(levels([286, 287, 319], 239)).toEqual([false, true, true])
    expect([208, 209].map((y) => frame.at(300, y)[1] > 128)).toEqual([false, true])
  })

  it('accepts pixels, percentages, contain, cover, and the element’s own size', async () => {
    const wide = await makeFile('png', [
      ...['-f', 'lavfi', '-i', 'color=red:s=80x40,drawbox=x=20:w=40:h=40:c=lime:t=fill'],
      ...['-frames:v', '1'],
    ])
    const asked = [
      { file: wide, position: { x: '0%', y: '0%' }, size: { width: 40 } },
      { file: wide, position: { x: '25%', y: '0%' }, size: { height: '25%' } },
      { file: wide, position: { x: '0%', y: '50%' }, size: { width: 64, height: 64 } },
      {
        file: wide,
        position: { x: '25%', y: '50%' },
        size: { width: 64, height: 64, fit: 'cover' },
      },
      { file: await plainImage('#0000ff', '640x160'), position: { x: '0%', y: '83.34%' } },
    ]
    const frame = await firstFrame((await overlay(await plainVideo(), asked)).file)
    const isSeen = (x: number, y: number) => Math.max(...frame.at(x, y)) > 100
    expect([isSeen(37, 10), isSeen(42, 10), isSeen(5, 17), isSeen(5, 22)]).toEqual([
      ...[true, false, true, false],
    ])
    expect([isSeen(197, 10), isSeen(203, 10), isSeen(90, 57), isSeen(90, 62)]).toEqual([
      ...[true, false, true, false],
    ])
    expect([isSeen(61, 130), isSeen(67, 130), isSeen(10, 149), isSeen(10, 155)]).toEqual([
      ...[true, false, true, false],
    ])
    expectColor(frame, [84, 150], lime)
    expectColor(frame, [140, 180], lime)
    expect(isSeen(147, 150)).toBe(false)
    expectColor(frame, [315, 220], blue)
  })

  it('shows only the part of a huge element that lies in the frame', async () => {
    const file = await makeFile('png', [
      ...['-f', 'lavfi', '-i', 'color=red:s=400x400,drawbox=x=200:w=200:h=400:c=blue:t=fill'],
      ...['-frames:v', '1'],
    ])
    const asked = [{ file, size: { width: 4000 } }]
    const frame = await firstFrame((await overlay(await plainVideo(), asked)).file)
    expectColor(frame, [150, 120], red)
    expectColor(frame, [170, 120], blue)
  })

  it.each([0.25, 0.5, 0.8])(
    'mixes an opacity of %s exactly, in BT.601 and BT.709',
    { tags: 'campaign' },
    async (opacity) => {
      const tags = ['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709']
      const sources = [await plainVideo('#204060'), await plainVideo('#204060', 1, { tags })]
      for (const source of sources) {
        const file = await plainImage('#e0a020', '64x64')
        const frame = await firstFrame(
          (await overlay(source, [{ file, effects: { opacity } }])).file,
        )
        const [r, g, b] = [0x20, 0x40, 0x60].map(
          (base, i) => base + ([0xe0, 0xa0, 0x20][i] ?? 0) * opacity - base * opacity,
        )
        expect(colorDistance(frame.at(160, 120), [r ?? 0, g ?? 0, b ?? 0])).toBeLessThan(4)
        expect(colorDistance(frame.at(100, 60), rgbOf('#204060'))).toBeLessThan(3)
      }
    },
  )

  it('leaves all other pixels of the video as they were', async () => {
    for (const tags of [[], ['-colorspace', 'bt709']]) {
      const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...tags]
      const source = await makeVideo({ seconds: 0.2, size: '320x240', tone: null, coding })
      const asked = [
        { file: await plainImage('#ff0000', '33x33'), position: { x: '10.3125%', y: '10.4167%' } },
        { ...{ file: await threeColorGif(), type: 'gif' }, position: { anchor: 'top-right' } },
      ]
      const exact = await lossless(await overlay(source, asked))
      const [before, after] = [await firstFrame(source), await firstFrame(exact)]
      let worst = 0
      for (let y = 0; y < 240; y++) {
        for (let x = 0; x < 320; x++) {
          // Decoders mix the colours of neighbours.
          if (y < 64 && ((x > 26 && x < 74) || x > 280)) continue
          worst = Math.max(worst, colorDistance(before.at(x, y), after.at(x, y)))
        }
      }
      expect(worst).toBeLessThanOrEqual(1)
      expect(colorDistance(after.at(50, 50), red)).toBeLessThan(3)
    }
  })

  it('keeps the transparency of a PNG without a dark rim, and turns a JPEG as it asks', async () => {
    const corner = await makeFile('jpg', [
      ...['-f', 'lavfi', '-i', 'color=blue:s=64x32,drawbox=w=32:h=32:c=red:t=fill'],
      ...['-frames:v', '1', '-q:v', '1'],
    ])
    const asked = [
      {
        file: await halfImage('#ffffff', 200),
        size: { width: 50 },
        position: { x: '0%', y: '0%' },
      },
      { file: await turnedJpeg(corner, 6), position: { x: '50%', y: '0%' } },
      { file: await turnedJpeg(corner, 3), position: { x: '75%', y: '0%' } },
    ]
    const source = await plainVideo('#ffffff')
    const frame = await firstFrame((await overlay(source, asked)).file)
    for (let x = 0; x < 60; x++) expectColor(frame, [x, 25], white)
    expectColor(frame, [176, 8], red)
    expectColor(frame, [176, 54], blue)
    expectColor(frame, [196, 32], white)
    expectColor(frame, [248, 16], blue)
    expectColor(frame, [296, 16], red)
  })

  campaign('stacks by zIndex, and in the order of the list if that is equal', async () => {
    const [a, b, c] = [
      await plainImage('#ff0000', '64x64'),
      await plainImage('#00ff00', '64x64'),
      await plainImage('#0000ff', '64x64'),
    ]
    const top = { x: '0%', y: '0%' }
    const below = { x: '0%', y: '50%' }
    const asked = [
      { file: a, position: top, zIndex: 5 },
      { file: b, position: top },
      { file: c, position: top, zIndex: -1 },
      { file: a, position: below, zIndex: 1 },
      { file: c, position: below, zIndex: 1, comment: 'on top of the red one' },
    ]
    const frame = await firstFrame((await overlay(await plainVideo(), asked)).file)
    expectColor(frame, [32, 32], red)
    expectColor(frame, [32, 152], blue)
  })

  it('warns which element starts too late and which lies outside, and copies the video', async () => {
    const file = await plainImage('#ffffff', '32x32')
    const asked = [
      { file, timing: { startTime: 1.5 } },
      { file, position: { x: '100%', y: '0%' } },
    ]
    const { plan } = await overlay(await plainVideo(), asked)
    expect(plan.warnings).toEqual([
      'elements[0] was left out: it starts at 1.5 s, and the video ends at 1 s.',
      'elements[1] was left out: its position lies outside the picture.',
    ])
    expect(plan.video).toBe('copy')
  })
})

/** What the filters make, without what the encoder of the result would lose of it. */
async function lossless({ plan, tools }: RenderedVideo): Promise<string> {
  const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 1e9 }
  const coding = ['-c:v', 'libx264', '-qp', '0', '-pix_fmt', 'yuv420p', '-color_range', 'tv']
  const tracks = plan.tracks.map(({ stream }) => ({ stream, coding }))
  await runFfmpeg(tools, compilePlan({ ...plan, tracks }, 'lossless.mp4', caps), () => undefined)
  return path.join(tools.folder, 'lossless.mp4')
}

type Asked = Record<string, unknown> & { text: string }

async function write(texts: readonly Asked[]) {
  const elements = texts.map((text) => ({ type: 'text', ...text }))
  return renderVideo([{ file: await plainVideo() }], { elements })
}

/** The pixels of a part of the frame that are brighter than half. */
function bright(frame: Frame, [left, top, right, bottom]: readonly number[]): string[] {
  const found: string[] = []
  for (let y = top ?? 0; y < (bottom ?? 0); y++) {
    for (let x = left ?? 0; x < (right ?? 0); x++) {
      if (frame.at(x, y)[1] > 128) found.push(`${x - (left ?? 0)},${y - (top ?? 0)}`)
    }
  }
  return found
}

describe('placeOverlay, of texts', () => {
  it('draws boxes and letters in their colours, however transparent, below what lies in front', async () => {
    const { file, plan } = await write([
      { text: 'I', background: '#00FF0080', position: { anchor: 'top-left' } },
      {
        ...{ text: 'I', background: '#FF0000', position: { anchor: 'bottom-right' } },
        effects: { opacity: 0.5 },
      },
      { text: 'I', background: '#0000FF', position: { anchor: 'top-right' }, zIndex: 2 },
      { text: 'WWW', background: '#FFFFFF', position: { anchor: 'top-right' }, zIndex: 1 },
    ])
    const frame = await firstFrame(file)
    expectColor(frame, [3, 20], [0, 128, 0])
    expectColor(frame, [316, 220], [128, 0, 0])
    expectColor(frame, [316, 20], rgbOf('#0000FF'))
    expectColor(frame, [160, 120], rgbOf('#000000'))
    expect(bright(frame, [0, 0, 24, 40]).length).toBeGreaterThan(10)
    expect(plan.warnings).toContain(
      'elements[3].color: #FFFFFF is hard to read on a box of #FFFFFF.',
    )
  })

  it('writes every script from left or right with letters of its own, and tags as text', async () => {
    const texts = ['مرحبا', 'שלום', '東京都', 'ệữở', '😀❤', '{\\p1}\\N', 'Ελλάδα', 'ไทย']
    const asked = texts.map((text, i) => ({
      ...{ text, fontSize: 20, align: 'left' },
      position: { x: i % 2 === 0 ? '5%' : '55%', y: `${Math.floor(i / 2) * 25}%` },
    }))
    const { file, plan } = await write(asked)
    expect(plan.warnings).toEqual([])
    const frame = await firstFrame(file)
    const shapes = texts.map((_, i) => {
      const [x, y] = [i % 2 === 0 ? 16 : 176, Math.floor(i / 2) * 60]
      const shape = bright(frame, [x, y, x + 140, y + 40])
      expect(shape.length, texts[i]).toBeGreaterThan(40)
      return shape.join(' ')
    })
    expect(new Set(shapes).size).toBe(texts.length)
  })

  it('is wrapped to a width, fades like an image, and ends in time', async () => {
    const { file } = await write([
      {
        ...{ text: 'wide wide wide wide', background: '#FFFFFF', size: { width: '25%' } },
        ...{ position: { anchor: 'top-left' }, timing: { startTime: 0, endTime: 0.8 } },
        effects: { fadeIn: { duration: 0.8 } },
      },
    ])
    const frames = await framesOf(file)
    const levels = [4, 10, 18].map((at) => frames[at]?.at(2, 2)[1] ?? -1)
    expect(levels).toEqual(levels.toSorted((a, b) => a - b))
    expect(levels[1]).toBeGreaterThan(100)
    expect(levels[1]).toBeLessThan(155)
    expect(frames[18]?.at(84, 2)[1]).toBeLessThan(20)
    expect(frames[22]?.at(2, 2)[1]).toBeLessThan(20)
  })

  it('says what it had to change', async () => {
    const { plan } = await write([
      { text: 'a \u{17000}', fontSize: 400, size: { height: '20%' } },
      { text: '\u{17000}' },
    ])
    expect(plan.warnings).toEqual([
      expect.stringMatching(/^elements\[0\]\.text: .*\(U\+17000\)\.$/),
      expect.stringMatching(/^elements\[0\]\.fontSize: made smaller, \d+\.\d pixels/),
      expect.stringMatching(/^elements\[1\]\.text: /),
      'elements[1] was left out: nothing of its text can be shown.',
    ])
  })
})
