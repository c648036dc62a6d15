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
} from '../../support/containers/films/frame-pixels.ts'
import {
  asPhoneWrites,
  displayMatrices,
  dolbyVision,
  rolledWebm,
  sampleEntryBoxes as boxes,
  type DisplayMatrix,
} from '../../support/containers/films/phone-video.ts'
import { cutFilm, findCutting } from '../../support/containers/films/cut-film.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'
import { campaign, campaignAfter } from '../../support/node/campaign.ts'
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

/** What each is called when Dolby Vision is added to it: profiles 9, 8.4 and 8.1. */
const dolbyVisions = {
  'H.264': dolbyVision(9, 2),
  HLG: dolbyVision(8, 4),
  HDR10: dolbyVision(8, 1),
} as const

async function film(
  coding: readonly string[],
  { seconds = 1, extension = 'mp4' } = {},
): Promise<string> {
  const box = (corner: Corner, x: number, y: number): string =>
    `drawbox=x=${x}:y=${y}:w=64:h=32:c=${corner}:t=fill`
  const quarters = [box('lime', 64, 0), box('blue', 0, 32), box('white', 64, 32)].join(',')
  const picture = `color=red:s=128x64:r=10:d=${seconds},format=gbrp,${quarters}`
  return makeFile(extension, ['-f', 'lavfi', '-i', picture, ...coding])
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

const { sphere, ...light } = boxes
const sideData: Record<string, (dolby: Buffer) => readonly Buffer[]> = {
  'Dolby Vision before the matrix': (dolby) => [dolby],
  'Dolby Vision and the light of HDR10 around the matrix': (dolby) => [
    ...[dolby, boxes['mastering display'], boxes['content light level']],
  ],
  'the light of HDR10 behind the matrix': () => [
    ...[boxes['mastering display'], boxes['content light level']],
  ],
  'all that a camera can say': (dolby) => [dolby, sphere, ...Object.values(light)],
  'nothing but the matrix': () => [],
}

type Held = keyof typeof displayMatrices
type CodingName = keyof typeof codings
const allHeld = Object.keys(displayMatrices) as Held[]
const allSaid = Object.entries(sideData)
const allCodings = Object.keys(codings) as CodingName[]
/** Every way to hold, every coding, and all that is said beside the matrix. */
const cases = allHeld.flatMap((held, i) => {
  const coding = allCodings[i % allCodings.length]
  const [said, added] = allSaid[i % allSaid.length] ?? []
  return coding && said !== undefined && added !== undefined ? [{ said, added, held, coding }] : []
})
/** What phones of the last years record when they are held upright comes first. */
const usual = cases.findIndex(({ held }) => held === 'turned by 90')
const ordered = [...cases.slice(usual, usual + 1), ...cases.toSpliced(usual, 1)]

/** One picture of the film in each way in which a customer gets to see it. */
async function waysToSee(file: string) {
  const removeSegments = [{ startTime: 0.2, endTime: 0.5 }]
  const [encoded, cut, copied] = [
    await renderVideo([{ file }], { compressionQuality: 90, outputFormat: 'mp4' }),
    await renderVideo([{ file }], { removeSegments, outputFormat: 'mp4' }),
    await renderVideo([{ file }], { outputFormat: file.endsWith('webm') ? 'webm' : 'mov' }),
  ]
  return {
    plans: [encoded, cut, copied].map(({ plan }) => plan.video),
    seen: {
      encoded: seen(await firstFrame(encoded.file)),
      cut: seen(await firstFrame(cut.file)),
      copied: seen(await firstFrame(copied.file)),
      thumbnail: await thumbnailOf(copied.file),
    },
  }
}

function everywhere(expected: ReturnType<typeof seen>) {
  const ways = ['encoded', 'cut', 'copied', 'thumbnail']
  return Object.fromEntries(ways.map((way) => [way, expected]))
}

describe('footage of phones', () => {
  for (const [i, { said, added, held, coding }] of ordered.entries()) {
    const matrix = displayMatrices[held]
    const title = `is shown as it was held: ${coding}, ${held}, ${said}`
    it(title, { tags: campaignAfter(1, i) }, async () => {
      const stored = await film(codings[coding])
      const file = await asPhoneWrites(stored, matrix, added(dolbyVisions[coding]))
      const { plans, seen: shown } = await waysToSee(file)
      expect(plans).toEqual(['encode', 'encode', 'copy'])
      expect(shown).toEqual(everywhere({ size: sizeBy(matrix), corners: shownBy(matrix) }))
    })
  }

  for (const [i, held] of (['turned by 90', 'mirrored and turned by 270'] as const).entries()) {
    const matrix = displayMatrices[held]
    it(
      `stays as it was held in cuts and joins as stored: ${held}`,
      { tags: campaignAfter(1, i) },
      async () => {
        const all = [...codings.HLG.slice(0, -1), 'arib-std-b67', '-g', '10']
        const stored = await film(all, { seconds: 4 })
        const lit = [boxes['mastering display'], boxes['content light level']]
        const file = await asPhoneWrites(stored, matrix, lit)
        for (const sources of [[file], [file, file]] as const) {
          const { file: cut, cutting } = await cutFilm(sources, [{ from: 5, to: 17 }])
          expect(cutting.pieces.map(({ kind }) => kind)).toContain('run')
          const expected = { size: sizeBy(matrix), corners: shownBy(matrix) }
          expect((await framesOf(cut)).map(seen)).toEqual(
            Array.from({ length: 40 * sources.length - 12 }, () => expected),
          )
        }
      },
    )
  }

  it('is upright in a join, whichever clip is turned', async () => {
    const matrix = displayMatrices['turned by 90']
    const lying = await film(h264)
    const turned = await asPhoneWrites(lying, matrix, Object.values(boxes))
    const { file, plan } = await renderVideo([{ file: turned }, { file: lying }], {})
    expect([plan.video, plan.width, plan.height]).toEqual(['encode', 64, 128])
    const frames = await framesOf(file)
    expect(frames[0] && cornersOf(frames[0])).toEqual(shownBy(matrix))
    // The second clip lies in the upright frame, with bars above and below.
    const last = frames.at(-1)
    expect(last && colorDistance(last.at(32, 4), rgbOf('#000000'))).toBeLessThan(20)
    expect(last && colorDistance(last.at(6, 54), rgbOf(colors.red))).toBeLessThan(40)
  })

  campaign('is turned by the header of the whole file too', async () => {
    for (const held of ['turned by 90', 'mirrored left to right'] as const) {
      const matrix = displayMatrices[held]
      const file = await asPhoneWrites(await film(h264), matrix, [boxes.sphere], 'mvhd')
      const expected = everywhere({ size: sizeBy(matrix), corners: shownBy(matrix) })
      expect((await waysToSee(file)).seen, held).toEqual(expected)
    }
  })

  campaign('keeps its size where it is turned by another angle', async () => {
    const half = Math.SQRT1_2
    for (const matrix of [
      [half, half, -half, half],
      [half, -half, half, half],
    ]) {
      const file = await asPhoneWrites(await film(h264), matrix, [])
      const { file: encoded } = await renderVideo([{ file }], { compressionQuality: 90 })
      expect(seen(await firstFrame(encoded)).size).toBe('128x64')
    }
  })

  it('is copied, but not converted, in Dolby Vision that nothing else can show', async () => {
    const matrix = displayMatrices['turned by 90']
    const stored = await film(codings.HDR10)
    const file = await asPhoneWrites(stored, matrix, [dolbyVision(5, 0)])
    const { file: copied } = await renderVideo([{ file }], { outputFormat: 'mov' })
    expect(seen(await firstFrame(copied))).toEqual({
      size: sizeBy(matrix),
      corners: shownBy(matrix),
    })
    await expect(renderVideo([{ file }], { compressionQuality: 90 })).rejects.toMatchObject({
      message: expect.stringMatching(/^Dolby Vision profile 5/) as string,
    })
  })
})

describe('footage that says among its pictures how it is turned', () => {
  const turns = ['90', '0:flip=horizontal']
  for (const [i, turn] of turns.entries()) {
    it(`is shown as a player shows it: ${turn}`, { tags: campaignAfter(1, i) }, async () => {
      const stored = await film([...h264, '-g', '10'], { seconds: 4 })
      const told = `h264_metadata=display_orientation=insert:rotate=${turn}`
      const file = await makeFile('mp4', ['-i', stored, '-c', 'copy', '-bsf:v', told])
      const expected = seen(await firstFrame(file))
      expect(expected).not.toEqual(seen(await firstFrame(stored)))
      expect((await waysToSee(file)).seen).toEqual(everywhere(expected))
      const { file: whole } = await renderVideo([{ file }], { compressionQuality: 90 })
      expect((await framesOf(whole)).map(seen)).toEqual(Array.from({ length: 40 }, () => expected))
      const { choice } = await findCutting(file, [{ from: 5, to: 17 }])
      expect(choice).toEqual({ why: 'its pictures say themselves how they are turned' })
      const joined = await renderVideo([{ file }, { file: stored }], {})
      expect(joined.plan.video).toBe('encode')
      expect(seen(await firstFrame(joined.file))).toEqual(expected)
    })
  }
})

describe('WebM that is rolled', () => {
  const turned = { '90': 'turned by 270', '180': 'turned by 180', '-90': 'turned by 90' } as const
  for (const [i, [degrees, held]] of Object.entries(turned).entries()) {
    it(`is shown upright: by ${degrees} degrees`, { tags: campaignAfter(1, i) }, async () => {
      const named = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']
      const vp9 = ['-c:v', 'libvpx-vp9', '-crf', '4', '-b:v', '0', '-deadline', 'realtime']
      const plain = [...vp9, '-pix_fmt', 'yuv420p', ...named, '-color_range', 'tv', '-g', '10']
      const stored = await film(plain, { seconds: 4, extension: 'webm' })
      const file = await rolledWebm(stored, Number(degrees))
      const matrix = displayMatrices[held]
      const { seen: shown } = await waysToSee(file)
      expect(shown).toEqual(everywhere({ size: sizeBy(matrix), corners: shownBy(matrix) }))
    })
  }
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
