import { describe, expect, it } from 'vitest'
import { colorDistance, firstFrame, rgbOf } from '../../../support/containers/films/frame-pixels.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { campaignAfter } from '../../../support/node/campaign.ts'
import { makeFile } from '../../../support/node/fixtures.ts'

const lossless = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p']
const matrices = {
  bt601: ['-vf', 'scale=out_color_matrix=bt601,format=yuv420p', '-colorspace', 'smpte170m'],
  bt709: ['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709'],
}
const colors = ['#406080', '#c05030', '#30a050', '#808080']

/** Four upright stripes. */
async function stripes(matrix: keyof typeof matrices): Promise<string> {
  const boxes = colors.map(
    (color, i) => `drawbox=x=${i * 32}:w=32:c=${color.replace('#', '0x')}:t=fill`,
  )
  const picture = `color=black:s=128x32:d=0.1,format=rgb24,${boxes.join(',')}`
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...matrices[matrix], ...lossless])
}

type Change = (rgb: readonly number[]) => readonly number[]

/** Turns red into blue and blue into red, and takes half of the green. */
const swapped: Change = ([r = 0, g = 0, b = 0]) => [b, g / 2, r]

function tableOf(change: Change): string {
  const steps = [0, 127.5, 255]
  const rows = steps.flatMap((b) => steps.flatMap((g) => steps.map((r) => change([r, g, b]))))
  const lines = rows.map((row) => row.map((value) => (value / 255).toFixed(4)).join(' '))
  return ['LUT_3D_SIZE 3', ...lines].join('\n')
}

const cases: readonly [string, Record<string, unknown>, Change][] = [
  ['brightness', { brightness: 0.1 }, (rgb) => rgb.map((value) => value + 25.5)],
  ['contrast', { contrast: 0.5 }, (rgb) => rgb.map((value) => (value - 127.5) * 0.5 + 127.5)],
  ['a table', { lutUrl: 'https://example.com/a.cube' }, swapped],
]

describe('color', () => {
  for (const [i, [name, color, change]] of cases.entries()) {
    for (const [j, matrix] of (['bt709', 'bt601'] as const).entries()) {
      const title = `changes every colour as ${name} says, in ${matrix}`
      it(title, { tags: campaignAfter(1, i < 2 ? j : 0) }, async () => {
        const { file } = await renderVideo(
          [{ file: await stripes(matrix) }],
          { color },
          [],
          tableOf(change),
        )
        const frame = await firstFrame(file)
        for (const [k, source] of colors.entries()) {
          const [r = 0, g = 0, b = 0] = change(rgbOf(source))
          expect(colorDistance(frame.at(k * 32 + 16, 16), [r, g, b]), source).toBeLessThan(6)
        }
      })
    }
  }

  it('without saturation leaves the luma of the matrix', async () => {
    const { file } = await renderVideo([{ file: await stripes('bt709') }], {
      color: { saturation: 0 },
    })
    const frame = await firstFrame(file)
    for (const [k, source] of colors.entries()) {
      const [r, g, b] = rgbOf(source)
      const grey = 0.2126 * r + 0.7152 * g + 0.0722 * b
      expect(colorDistance(frame.at(k * 32 + 16, 16), [grey, grey, grey]), source).toBeLessThan(5)
    }
  })
})
