import { describe, expect, it } from 'vitest'
import { plainVideo } from '../../../support/containers/films/element-files.ts'
import {
  firstFrame,
  framesOf,
  rgbOf,
  type Frame,
} from '../../../support/containers/films/frame-pixels.ts'
import { expectColor } from '../../../support/containers/films/overlay-elements.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'

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
