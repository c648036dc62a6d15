import { describe, expect, it } from 'vitest'
import {
  colorDistance,
  firstFrame,
  framesOf,
  rgbOf,
  type Frame,
} from '../../../support/containers/films/frame-pixels.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p']
const bt709 = ['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709']
const url = 'https://example.com/file'

async function film(color = '0x202020', seconds = 0.2): Promise<string> {
  const picture = `color=${color}:s=320x180:r=25:d=${seconds}`
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...bt709, ...lossless])
}

async function still(picture: string): Promise<string> {
  return makeFile('png', ['-f', 'lavfi', '-i', picture, '-frames:v', '1'])
}

async function clip(picture: string): Promise<string> {
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...bt709, ...lossless])
}

type Placed = { readonly element: Record<string, unknown>; readonly file: string }

async function shown(placed: readonly Placed[], below?: string): Promise<Frame[]> {
  const elements = placed.map(({ element }) => element)
  const files = placed.map(({ file }) => file)
  return framesOf(
    (await renderVideo([{ file: below ?? (await film()) }], { elements }, files)).file,
  )
}

async function shownWith(element: Record<string, unknown>, file: string, below?: string) {
  return shown([{ element, file }], below)
}

/** As a picture in the left half of the film, and as a clip in its right half. */
async function asBoth(
  element: Record<string, unknown>,
  picture: string,
): Promise<Frame | undefined> {
  const at = (x: string) => ({ url, position: { x, y: '0%' }, ...element })
  const [frame] = await shown([
    { element: { ...at('0%'), type: 'image' }, file: await still(picture) },
    { element: { ...at('50%'), type: 'video' }, file: await clip(picture) },
  ])
  return frame
}

function isColor(frame: Frame | undefined, [x, y]: readonly [number, number], color: string) {
  return colorDistance(frame?.at(x, y) ?? [0, 0, 0], rgbOf(color)) < 40
}

const ground = '#202020'

describe('elements', () => {
  it('show a rectangle of their own picture', async () => {
    const halves = 'color=red:s=80x40:d=0.2,drawbox=x=40:w=40:c=blue:t=fill'
    const frame = await asBoth({ crop: { x: '50%', width: 40 }, size: { width: 80 } }, halves)
    for (const left of [0, 160]) {
      expect(isColor(frame, [left + 2, 2], '#0000ff'), `${left}`).toBe(true)
      expect(isColor(frame, [left + 77, 76], '#0000ff'), `${left}`).toBe(true)
      expect(isColor(frame, [left + 84, 40], ground), `${left}`).toBe(true)
    }
  })

  it('that are cropped outside of their picture name its size', async () => {
    const element = { type: 'image', url, crop: { x: 100 } }
    await expect(shownWith(element, await still('color=red:s=80x40'))).rejects.toThrow(
      'elements[0].crop: x and width reach outside of the picture: the file has 80 × 40 pixels.',
    )
  })

  it('are turned clockwise about their middle, with smooth edges', async () => {
    const file = await still('color=red:s=120x20,drawbox=w=20:c=lime:t=fill')
    const turned = (rotation: number, x: string) => {
      return { element: { type: 'image', url, rotation, position: { x, y: '44.44%' } }, file }
    }
    const [frame] = await shown([turned(90, '6.25%'), turned(-45, '56.25%')])
    expect(isColor(frame, [80, 34], '#00ff00')).toBe(true)
    expect(isColor(frame, [80, 145], '#ff0000')).toBe(true)
    expect(isColor(frame, [30, 90], ground)).toBe(true)
    // The left end goes down.
    expect(isColor(frame, [240 - 37, 90 + 37], '#00ff00')).toBe(true)
    expect(isColor(frame, [240 + 37, 90 - 37], '#ff0000')).toBe(true)
  })

  it('have round corners, exact to the pixel', async () => {
    const frame = await asBoth({ cornerRadius: '50%' }, 'color=red:s=100x100:d=0.2')
    let wrong = 0
    for (let y = 0; y < 180; y++) {
      for (let x = 0; x < 320; x++) {
        const off = Math.hypot((x % 160) + 0.5 - 50, y + 0.5 - 50) - 50
        if (Math.abs(off) > 2.5 && !isColor(frame, [x, y], off < 0 ? '#ff0000' : ground)) wrong++
      }
    }
    expect(wrong).toBe(0)
  })

  it('lose a colour and its shadows, and keep the rest', async () => {
    const wall =
      'color=0x00b140:s=120x80:d=0.2,drawbox=w=60:h=40:c=0x007a2c:t=fill,drawbox=x=80:y=20:w=30:h=40:c=0xd08060:t=fill'
    const frame = await asBoth({ chromaKey: { color: '#00b140' } }, wall)
    for (const left of [0, 160]) {
      expect(isColor(frame, [left + 10, 10], ground), `${left}: shadow`).toBe(true)
      expect(isColor(frame, [left + 10, 70], ground), `${left}: wall`).toBe(true)
      expect(isColor(frame, [left + 95, 40], '#d08060'), `${left}: figure`).toBe(true)
    }
  })

  it('are repeated over the whole frame, in step with their place', async () => {
    const dot = await still('color=red:s=20x20,drawbox=x=10:w=10:c=lime:t=fill')
    const element = { type: 'image', url, repeat: 'tile', position: { x: '12.5%', y: '0%' } }
    const [frame] = await shownWith(element, dot)
    for (let x = 3; x < 320; x += 10) {
      const color = Math.floor(x / 10) % 2 === 0 ? '#ff0000' : '#00ff00'
      for (const y of [2, 90, 177]) expect(isColor(frame, [x, y], color), `${x}`).toBe(true)
    }
  })

  it('move into their place and out of it', async () => {
    const box = await still('color=red:s=40x40')
    const frames = await shownWith(
      {
        ...{ type: 'image', url, position: { x: '50%', y: '50%' } },
        timing: { startTime: 0.2, endTime: 1 },
        effects: {
          enter: { type: 'from-left', duration: 0.4 },
          exit: { type: 'from-bottom', duration: 0.2, easing: 'ease-in' },
        },
      },
      box,
      await film('0x202020', 1.2),
    )
    const leftOf = (frame: Frame | undefined, y: number) =>
      Array.from({ length: 320 }, (_, x) => x).find((x) => isColor(frame, [x, y], '#ff0000'))
    expect(leftOf(frames[4], 110)).toBeUndefined()
    // From 40 pixels left of the frame to the place at 160, in ten pictures.
    for (const i of [8, 10, 12]) {
      const wanted = -40 + 200 * ((i - 5) / 10)
      expect(Math.abs((leftOf(frames[i], 110) ?? -99) - wanted), `${i}`).toBeLessThanOrEqual(2)
    }
    expect(leftOf(frames[16], 110)).toBeCloseTo(160, -0.5)
    // A quarter of the way down, halfway through an easing in.
    const at = (y: number) => isColor(frames[22], [180, y], '#ff0000')
    expect([at(90), at(98), at(128)]).toEqual([false, false, true])
    expect(leftOf(frames[25], 178)).toBeUndefined()
  })

  it('come into their place also if their moves take longer than they are shown', async () => {
    const box = await still('color=red:s=40x40')
    const [enter, exit] = [
      { type: 'from-left', duration: 6 },
      { type: 'from-bottom', duration: 2 },
    ]
    const frames = await shownWith(
      { type: 'image', url, position: { x: '50%', y: '50%' }, effects: { enter, exit } },
      box,
      await film('0x202020', 0.8),
    )
    // Three quarters of the twenty pictures show how it comes, the others how it goes.
    const place = [15, 5].map((i) => isColor(frames[i], [180, 110], '#ff0000'))
    expect(place).toEqual([true, false])
    expect(isColor(frames[19], [180, 110], '#ff0000')).toBe(false)
  })

  it('keep their looks while they fade and move', async () => {
    const looks = [
      { repeat: 'tile', effects: { exit: { type: 'zoom', duration: 0.1 } }, zIndex: -1 },
      { cornerRadius: '50%', effects: { fadeIn: { duration: 0.1 } } },
      { cornerRadius: 10, rotation: 45, effects: { enter: { type: 'from-left', duration: 0.1 } } },
    ]
    const colors = ['color=lime:s=40x40', 'color=red:s=40x40', 'color=blue:s=40x40']
    const placed = looks.map(async (look, i) => ({
      element: { type: 'image', url, position: { x: `${i * 30}%`, y: '30%' }, ...look },
      file: await still(colors[i] ?? ''),
    }))
    const frames = await shown(await Promise.all(placed), await film('0x202020', 0.4))
    expect(isColor(frames[6], [20, 74], '#00ff00')).toBe(true)
    expect(isColor(frames[6], [116, 74], '#ff0000')).toBe(true)
    expect(isColor(frames[6], [98, 56], '#00ff00')).toBe(true)
    expect(isColor(frames[6], [212, 74], '#0000ff')).toBe(true)
  })

  it('grow from their middle', async () => {
    const box = await still('color=red:s=80x80')
    const effects = { enter: { type: 'zoom', duration: 0.4 } }
    const frames = await shownWith(
      { type: 'image', url, effects },
      box,
      await film('0x202020', 0.8),
    )
    const width = (frame: Frame | undefined) =>
      Array.from({ length: 320 }, (_, x) => x).filter((x) => isColor(frame, [x, 90], '#ff0000'))
    expect(Math.abs(width(frames[5]).length - 40)).toBeLessThanOrEqual(6)
    expect(Math.abs((width(frames[5])[0] ?? 0) - 140)).toBeLessThanOrEqual(4)
    expect(Math.abs(width(frames[14]).length - 80)).toBeLessThanOrEqual(2)
  })
})

describe('blur', () => {
  async function noise(): Promise<string> {
    const picture = 'testsrc2=s=320x180:r=25:d=0.4'
    return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...bt709, ...lossless])
  }

  const place = { position: { x: '25%', y: '25%' }, size: { width: '25%', height: '50%' } }

  for (const style of ['blur', 'pixels'] as const) {
    it(`hides a rectangle for its time, and changes nothing around it: ${style}`, async () => {
      const source = await noise()
      const timing = { startTime: 0.2 }
      // What an encode changes is the same in both.
      const elements = [{ type: 'blur', style, timing, ...place }]
      const shown = await renderVideo([{ file: source }], { elements })
      const [was, is] = [await framesOf(source), await framesOf(shown.file)]
      const off = (i: number, isInside: boolean) => {
        let [sum, count] = [0, 0]
        for (let y = 1; y < 180; y += 2) {
          for (let x = 1; x < 320; x += 2) {
            const inside = x >= 80 && x < 160 && y >= 45 && y < 135
            if (inside !== isInside) continue
            sum += colorDistance(is[i]?.at(x, y) ?? [0, 0, 0], was[i]?.at(x, y) ?? [0, 0, 0])
            count++
          }
        }
        return sum / count
      }
      expect([off(2, true) < 4, off(2, false) < 4, off(8, false) < 4]).toEqual([true, true, true])
      expect(off(8, true)).toBeGreaterThan(25)
    })
  }

  it('lies above or below other elements, by zIndex', async () => {
    const lines = await still('color=black:s=80x80,drawgrid=w=4:h=4:c=white')
    const logo = { type: 'image', url, position: { anchor: 'top-left' } }
    const blur = {
      ...{ type: 'blur', position: { anchor: 'top-left' }, size: { width: 80, height: 80 } },
      zIndex: -1,
    }
    const { file } = await renderVideo([{ file: await film() }], { elements: [logo, blur] }, [
      lines,
    ])
    const sharp = await firstFrame(file)
    const contrast = (frame: Frame) => Math.abs(frame.at(40, 42)[0] - frame.at(42, 42)[0])
    const above = await renderVideo(
      [{ file: await film() }],
      { elements: [logo, { ...blur, zIndex: 1 }] },
      [lines],
    )
    expect(contrast(sharp)).toBeGreaterThan(100)
    expect(contrast(await firstFrame(above.file))).toBeLessThan(20)
  })
})
