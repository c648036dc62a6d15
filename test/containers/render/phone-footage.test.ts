import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import { makeThumbnail, wantedForStill } from '../../../containers/thumbnail/make-thumbnail.ts'
import {
  colorDistance,
  firstFrame,
  framesOf,
  rgbOf,
  type Frame,
} from '../../support/containers/frame-pixels.ts'
import {
  asPhoneWrites,
  displayMatrices,
  sampleEntryBoxes as boxes,
  type DisplayMatrix,
} from '../../support/containers/phone-video.ts'
import { renderVideo } from '../../support/containers/render-video.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'
import { campaignAfter } from '../../support/node/campaign-after.ts'
import { makeFile } from '../../support/node/fixtures.ts'

const colors = { red: '#ff0000', lime: '#00ff00', blue: '#0000ff', white: '#ffffff' } as const
type Corner = keyof typeof colors

/** As stored: where the quarters are, seen from the middle. */
const stored: readonly (readonly [Corner, x: number, y: number])[] = [
  ['red', -1, -1],
  ['lime', 1, -1],
  ['blue', -1, 1],
  ['white', 1, 1],
]

const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '1', '-pix_fmt', 'yuv420p']
const hevc = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none:qp=4']
const wide = ['-tag:v', 'hvc1', '-pix_fmt', 'yuv420p10le', '-color_primaries', 'bt2020']
const codings = {
  'H.264': h264,
  HLG: [...hevc, ...wide, '-colorspace', 'bt2020nc', '-color_trc', 'arib-std-b67'],
  HDR10: [...hevc, ...wide, '-colorspace', 'bt2020nc', '-color_trc', 'smpte2084'],
} as const

async function film(coding: keyof typeof codings): Promise<string> {
  const box = (corner: Corner, x: number, y: number): string =>
    `drawbox=x=${x}:y=${y}:w=64:h=32:c=${corner}:t=fill`
  const quarters = [box('lime', 64, 0), box('blue', 0, 32), box('white', 64, 32)].join(',')
  const picture = `color=red:s=128x64:r=10:d=1,format=gbrp,${quarters}`
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...codings[coding]])
}

/** What a player shows in the corners, row by row, by the definition of the matrix. */
function shownBy([a, b, c, d]: DisplayMatrix): Corner[] {
  const places = stored.map(([corner, x, y]) => ({ corner, x: a * x + c * y, y: b * x + d * y }))
  return places.sort((one, other) => one.y - other.y || one.x - other.x).map(({ corner }) => corner)
}

function cornersOf(frame: Frame): Corner[] {
  const [left, right, top, bottom] = [6, frame.width - 7, 6, frame.height - 7]
  const seen = [
    frame.at(left, top),
    frame.at(right, top),
    frame.at(left, bottom),
    frame.at(right, bottom),
  ]
  return seen.map((rgb) => {
    const names = Object.keys(colors) as Corner[]
    const apart = (name: Corner): number => colorDistance(rgb, rgbOf(colors[name]))
    return names.reduce((best, name) => (apart(name) < apart(best) ? name : best))
  })
}

function sizeBy([a]: DisplayMatrix): string {
  return a === 0 ? '64x128' : '128x64'
}

const seen = (frame: Frame) => ({
  size: `${frame.width}x${frame.height}`,
  corners: cornersOf(frame),
})

const sideData: Record<string, readonly Buffer[]> = {
  'Dolby Vision before the matrix': [boxes['Dolby Vision']],
  'Dolby Vision and the light of HDR10 around the matrix': Object.values(boxes),
  'the light of HDR10 behind the matrix': [
    boxes['mastering display'],
    boxes['content light level'],
  ],
  'nothing but the matrix': [],
}

const cases = Object.entries(sideData).flatMap(([said, added]) =>
  (Object.keys(displayMatrices) as (keyof typeof displayMatrices)[]).flatMap((held) =>
    (Object.keys(codings) as (keyof typeof codings)[]).map((coding) => ({
      said,
      added,
      held,
      coding,
    })),
  ),
)
/** What phones of the last years record when they are held upright comes first. */
const usual = cases.findIndex(({ held, coding }) => held === 'turned by 90' && coding === 'HLG')
const ordered = [...cases.slice(usual, usual + 1), ...cases.toSpliced(usual, 1)]

describe('footage of phones', () => {
  for (const [i, { said, added, held, coding }] of ordered.entries()) {
    const matrix = displayMatrices[held]
    const title = `is shown as it was held: ${coding}, ${held}, ${said}`
    it(title, { tags: campaignAfter(1, i) }, async () => {
      const file = await asPhoneWrites(await film(coding), matrix, added)
      const expected = { size: sizeBy(matrix), corners: shownBy(matrix) }
      const encoded = await renderVideo([{ file }], { compressionQuality: 90 })
      expect(encoded.plan.video).toBe('encode')
      expect(seen(await firstFrame(encoded.file))).toEqual(expected)
      expect(await thumbnailOf(file)).toEqual(expected)
      const removeSegments = [{ startTime: 0.2, endTime: 0.5 }]
      const cut = await renderVideo([{ file }], { removeSegments })
      expect(seen(await firstFrame(cut.file))).toEqual(expected)
      const copied = await renderVideo([{ file }], { outputFormat: 'mov' })
      expect(copied.plan.video).toBe('copy')
      expect(seen(await firstFrame(copied.file))).toEqual(expected)
    })
  }

  it('is upright in a join, whichever clip is turned', async () => {
    const matrix = displayMatrices['turned by 90']
    const turned = await asPhoneWrites(await film('H.264'), matrix, Object.values(boxes))
    const { file, plan } = await renderVideo([{ file: turned }, { file: await film('H.264') }], {})
    expect([plan.video, plan.width, plan.height]).toEqual(['encode', 64, 128])
    const frames = await framesOf(file)
    expect(frames[0] && cornersOf(frames[0])).toEqual(shownBy(matrix))
    // The second clip lies in the upright frame, with bars above and below.
    const last = frames.at(-1)
    expect(last && colorDistance(last.at(32, 4), rgbOf('#000000'))).toBeLessThan(20)
    expect(last && colorDistance(last.at(6, 54), rgbOf(colors.red))).toBeLessThan(40)
  })
})

async function thumbnailOf(file: string) {
  const tools = await aToolContext()
  await copyFile(file, path.join(tools.folder, 'out'))
  const facts = await measureMedia(tools, { path: 'out', field: 'result', maxSeconds: 1_000 })
  const patience = new AbortController().signal
  const { name } = await makeThumbnail(
    tools,
    { name: 'out', facts },
    { ...wantedForStill, patience },
  )
  return seen(await firstFrame(path.join(tools.folder, name)))
}
