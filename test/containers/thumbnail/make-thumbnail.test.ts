import { copyFile, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import {
  makeThumbnail,
  maxThumbnailBytes,
  stillPatienceMs,
  wantedForStill,
} from '../../../containers/thumbnail/make-thumbnail.ts'
import type { WantedPictures } from '../../../containers/thumbnail/gather-pictures.ts'
import { eventually } from '../../support/node/eventually.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { plainVideo } from '../../support/containers/films/element-files.ts'
import {
  colorDistance,
  firstFrame,
  rgbOf,
  type Frame,
} from '../../support/containers/films/frame-pixels.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'
import { campaign } from '../../support/node/campaign.ts'

async function thumbnailOf(file: string, changes: Partial<WantedPictures> = {}) {
  const tools = await aToolContext()
  await copyFile(file, path.join(tools.folder, 'out'))
  const request = { path: 'out', field: 'result', maxSeconds: 1_000 }
  const facts = await measureMedia(tools, request)
  const patience = new AbortController().signal
  const wanted = { ...wantedForStill, patience, ...changes }
  const { name, pictures } = await makeThumbnail(tools, { name: 'out', facts }, wanted)
  const still = path.join(tools.folder, name)
  const bytes = await readFile(still)
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  expect((await stat(still)).size).toBeLessThanOrEqual(maxThumbnailBytes)
  return { frame: await firstFrame(still), bytes, commands: tools.commands, pictures }
}

const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18', '-pix_fmt', 'yuv420p']

/** A filtered test picture. */
const filtered = async (filter: string, seconds: number): Promise<string> =>
  makeFile('mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=size=320x240:rate=25:duration=${seconds},${filter}`],
    ...coding,
  ])

/** The strongest red and green of a row: the test picture has all colours in full. */
function strongest(frame: Frame): number {
  const row = Array.from({ length: frame.width }, (_, x) => frame.at(x, frame.height - 20))
  return Math.max(...row.map(([red]) => red))
}

describe('makeThumbnail', () => {
  it('does not choose a picture of a black beginning or end', async () => {
    const black = "drawbox=c=black:t=fill:enable='lt(t,3.5)+gt(t,4.2)'"
    const { frame } = await thumbnailOf(await filtered(black, 8))
    expect(strongest(frame)).toBeGreaterThan(200)
  })

  campaign('finds a picture that is visible for only a moment', async () => {
    const black = "drawbox=c=black:t=fill:enable='lt(t,1.65)+gt(t,1.95)'"
    expect(strongest((await thumbnailOf(await filtered(black, 6))).frame)).toBeGreaterThan(200)
  })

  it('is the same where one program makes it while it looks at the video', async () => {
    const file = await filtered("gblur=sigma=12:enable='lt(t,2)+gt(t,3)'", 6)
    const few = await thumbnailOf(file, { places: 5 })
    const atOnce = await thumbnailOf(file, { places: 5, asStills: true })
    expect(atOnce.bytes).toEqual(few.bytes)
    expect(atOnce.commands).toHaveLength(few.commands.length - 1)
  })

  it('chooses a sharp picture if most are blurred', async () => {
    const blur = "gblur=sigma=12:enable='lt(t,2)+gt(t,3)'"
    const { frame } = await thumbnailOf(await filtered(blur, 6))
    const row = Array.from({ length: frame.width - 1 }, (_, x) =>
      colorDistance(frame.at(x, 120), frame.at(x + 1, 120)),
    )
    expect(Math.max(...row)).toBeGreaterThan(100)
  })

  it('shows the picture upright, in its shape and its colours', async () => {
    const tags = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709']
    const matrix = 'scale=out_color_matrix=bt709'
    const half = 'color=c=#c82828:s=320x240:d=1,format=rgb24,drawbox=w=160:h=240:c=#2828c8:t=fill'
    const lying = await makeFile('mp4', [
      ...['-f', 'lavfi', '-i', `${half},${matrix},setsar=2`, ...tags, ...coding],
    ])
    const turned = await makeFile('mp4', ['-i', lying, '-c', 'copy', '-metadata:s:v', 'rotate=90'])
    const upright = await firstFrame(await makeFile('mp4', ['-i', turned, ...tags, ...coding]))
    const { frame } = await thumbnailOf(turned)
    expect([frame.width, frame.height]).toEqual([240, 640])
    expect(colorDistance(frame.at(120, 40), upright.at(120, 20))).toBeLessThan(6)
    expect(colorDistance(frame.at(120, 600), upright.at(120, 300))).toBeLessThan(6)
    expect(colorDistance(frame.at(120, 40), frame.at(120, 600))).toBeGreaterThan(100)
  })

  campaign(
    'is at most 1280 pixels wide, and a small file even if it is full of noise',
    async () => {
      const picture = 'testsrc2=s=1600x900:r=2:d=1,noise=alls=100:allf=t'
      const noise = await makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...coding])
      const { frame, commands } = await thumbnailOf(noise)
      expect([frame.width, frame.height]).toEqual([1280, 720])
      const stills = commands.filter(({ args }) => args.includes('file:thumbnail.jpg'))
      expect(stills.length).toBeGreaterThan(1)
    },
  )

  campaign('makes a still of a black video, and of a single picture', async () => {
    expect((await thumbnailOf(await plainVideo('#000000', 1))).frame.at(100, 100)).toEqual([
      0, 0, 0,
    ])
    const single = await thumbnailOf(await plainVideo('#204060', 0.04))
    expect(colorDistance(single.frame.at(100, 100), rgbOf('#204060'))).toBeLessThan(6)
  })

  campaign(
    'looks only at key pictures if there are enough, and at all pictures otherwise',
    async () => {
      const fades = 'fade=in:d=2.5,fade=out:st=8:d=2'
      const file = await filtered(fades, 10)
      const many = await makeFile('mp4', ['-i', file, ...coding, '-g', '25'])
      const few = await makeFile('mp4', ['-i', file, ...coding, '-g', '999', '-sc_threshold', '0'])
      const long = { patientPixels: 0 }
      const quick = await thumbnailOf(many, long)
      expect(quick.pictures).toMatchObject({ areKeys: true, count: 20 })
      expect(strongest(quick.frame)).toBeGreaterThan(235)
      const thorough = await thumbnailOf(few, long)
      expect(thorough.pictures).toMatchObject({ areKeys: false, count: 48 })
      expect(strongest(thorough.frame)).toBeGreaterThan(235)
    },
  )

  campaign('finds pictures between black key pictures', async () => {
    const black = "drawbox=c=black:t=fill:enable='lt(mod(t,1),0.7)'"
    const file = await makeFile('mp4', [
      ...['-i', await filtered(black, 10), ...coding],
      ...['-g', '25', '-sc_threshold', '0'],
    ])
    const { frame, pictures } = await thumbnailOf(file, { patientPixels: 0 })
    expect(pictures.areKeys).toBe(false)
    expect(strongest(frame)).toBeGreaterThan(200)
  })

  campaign('shows key pictures upright too, and those of other codecs', async () => {
    const lying = await makeFile('mp4', ['-i', await filtered('null', 6), ...coding, '-g', '25'])
    const rotation = ['-metadata:s:v', 'rotate=90']
    const turned = await makeFile('mp4', ['-i', lying, '-c', 'copy', ...rotation])
    const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-g', '25']
    for (const [file, size] of [
      [turned, [240, 320]],
      [await makeFile('webm', ['-i', lying, ...vp9]), [320, 240]],
      [await makeFile('avi', ['-i', lying, '-c:v', 'mpeg4', '-q:v', '3', '-g', '25']), [320, 240]],
    ] as const) {
      const { frame, pictures } = await thumbnailOf(file, { patientPixels: 0 })
      expect(pictures).toMatchObject({ areKeys: true, count: 12 })
      expect([frame.width, frame.height]).toEqual(size)
      expect(strongest(frame)).toBeGreaterThan(200)
    }
  })

  it('uses the best picture so far when the patience ends', async () => {
    const tools = await aToolContext()
    const slow = await makeFile('mp4', [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25:duration=2', ...coding],
    ])
    const args = ['-stream_loop', '29', '-i', slow, '-c', 'copy', '-bsf:v', 'noise=drop=key*n']
    await copyFile(await makeFile('mp4', args), path.join(tools.folder, 'out'))
    const request = { path: 'out', field: 'result', maxSeconds: 1_000 }
    const facts = await measureMedia(tools, request)
    const patience = new AbortController()
    const wanted = { places: 48, patientPixels: Infinity, patience: patience.signal }
    const made = makeThumbnail(tools, { name: 'out', facts }, wanted)
    const gathered = path.join(tools.folder, 'pictures.raw')
    await eventually(async () => expect((await stat(gathered)).size).toBeGreaterThan(3_000_000))
    patience.abort()
    const { pictures } = await made
    expect(pictures.count).toBeGreaterThanOrEqual(2)
    expect(pictures.count).toBeLessThan(96)
  })

  it('gives a long job more patience, and every job at least ten seconds', () => {
    expect([0, 40_000, 3_600_000].map(stillPatienceMs)).toEqual([10_000, 20_000, 60_000])
    // How long a rendering took is measured in parts of a millisecond, which no timer of a signal takes.
    expect(() => AbortSignal.timeout(stillPatienceMs(26_058.691_983))).not.toThrow()
  })
})
