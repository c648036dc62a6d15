import { copyFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  takeSources,
  type SourceToTake,
  type TakeSettings,
} from '../../../containers/ffmpeg/take-sources.ts'
import { flatPng } from '../../support/node/bombs/flat-png.ts'
import { makeFile, makeVideo } from '../../support/node/fixtures.ts'
import { ffmpeg, ffmpegBytes } from '../../support/containers/run-tool.ts'
import { aToolContext } from '../../support/containers/tool-context.ts'

type Given = { file: string | Buffer } & Pick<SourceToTake, 'duration' | 'motion'>

async function take(...given: readonly Given[]) {
  return takeWith({ soundPicture: undefined, isHeardOnly: false }, ...given)
}

async function takeWith(
  how: Pick<TakeSettings, 'soundPicture' | 'isHeardOnly'>,
  ...given: readonly Given[]
) {
  const context = await aToolContext()
  const sources = given.map(({ file, ...said }, i) => {
    return { file, path: `in${i}`, field: `files[${i}].url`, ...said }
  })
  for (const { file, path: name } of sources) {
    const target = path.join(context.folder, name)
    await (typeof file === 'string' ? copyFile(file, target) : writeFile(target, file))
  }
  const taken = await takeSources(context.folder, sources, {
    maxSeconds: 100,
    backgroundColor: '#000000',
    ...how,
    inTurns: async (items, takeOne) => {
      for (const item of items) await takeOne(item, context)
    },
  })
  return taken.map((clip) => ({ ...clip, file: path.join(context.folder, clip.path) }))
}

const [width, height] = [160, 90]
const spot = `color=black:s=${width}x${height},format=gray,geq=lum='220*exp(-(pow(X-60.3,2)+pow(Y-40.7,2))/60)'`
const aSpot = async (): Promise<string> =>
  makeFile('png', ['-f', 'lavfi', '-i', spot, '-frames:v', '1'])

/** Where the light of each picture is in the middle, across. */
async function placesOf(file: string): Promise<number[]> {
  const bytes = await ffmpegBytes(['-i', file, '-f', 'rawvideo', '-pix_fmt', 'gray', '-'])
  const pictures = Array.from({ length: bytes.length / (width * height) }, (_, i) =>
    bytes.subarray(i * width * height, (i + 1) * width * height),
  )
  return pictures.map((picture) => {
    let [light, sum] = [0, 0]
    picture.forEach((value, i) => {
      const above = Math.max(0, value - 20)
      light += above
      sum += above * (i % width)
    })
    return sum / light
  })
}

const samplesOf = async (file: string) =>
  ffmpeg(['-i', file, '-map', '0:a', '-f', 'md5', '-c:a', 'pcm_s16le', '-'])

describe('takeSources', () => {
  it('moves the view over a picture evenly, in steps far below a pixel', async () => {
    const png = await aSpot()
    const clips = await take(
      { file: png, duration: 1, motion: 'pan-right' },
      { file: png, duration: 1, motion: 'zoom-in' },
      { file: png, duration: 1 },
    )
    const [panned = [], zoomed = [], still = []] = await Promise.all(
      clips.map(async ({ file }) => placesOf(file)),
    )
    for (const places of [panned, zoomed]) {
      expect(places).toHaveLength(30)
      const [first = 0, last = 0] = [places[0], places.at(-1)]
      const off = places.map((place, i) => Math.abs(place - first - ((last - first) * i) / 29))
      expect(Math.max(...off)).toBeLessThan(0.1)
    }
    // The view goes over all that it leaves out at its closest, enlarged.
    expect((panned[0] ?? 0) - (panned.at(-1) ?? 0)).toBeCloseTo(width * 0.15, 0)
    expect(zoomed.at(-1)).toBeCloseTo(79.5 + (60.3 - 79.5) * 1.15, 0)
    expect(Math.max(...still) - Math.min(...still)).toBeLessThan(0.02)
  })

  it('shows a picture at the rate of the first video, and a GIF as long as it is', async () => {
    const video = await makeVideo({ seconds: 1, fps: 24 })
    const moving = ['-f', 'lavfi', '-i', 'testsrc2=s=60x40:r=10:d=1.2']
    const gif = await makeFile('gif', moving)
    const [still, , own, longer] = await take(
      { file: await aSpot(), duration: 0.5 },
      { file: video },
      { file: gif },
      { file: gif, duration: 3 },
    )
    expect(still?.facts).toMatchObject({ durationSeconds: 0.5, audio: undefined })
    expect(still?.facts.video).toMatchObject({ width, height, frameRate: { frames: 24 } })
    expect(own?.facts.durationSeconds).toBeCloseTo(1.2, 1)
    expect(longer?.facts.durationSeconds).toBe(3)
  })

  it('takes WebP, AVIF and JPEG, and draws what is transparent on the background', async () => {
    const clear = ['-f', 'lavfi', '-i', 'color=red@0:s=16x16,format=rgba', '-frames:v', '1']
    const still = ['-f', 'lavfi', '-i', 'color=red:s=16x16', '-frames:v', '1']
    const av1 = [...still, '-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '8']
    const files = [
      await makeFile('webp', clear),
      await makeFile('avif', [...av1, '-f', 'avif']),
      await makeFile('jpg', still),
    ]
    const clips = await take(...files.map((file) => ({ file, duration: 0.1 })))
    const brightness = async (file: string): Promise<number | undefined> =>
      (await ffmpegBytes(['-i', file, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']))[0]
    const reds = await Promise.all(clips.map(async ({ file }) => brightness(file)))
    expect(reds[0]).toBeLessThan(5)
    expect(Math.min(...reds.slice(1).map((red) => red ?? 0))).toBeGreaterThan(240)
  })

  it('refuses a WebP or AVIF that moves', async () => {
    const moving = ['-f', 'lavfi', '-i', 'testsrc2=s=60x40:r=10:d=0.5']
    const webp = await makeFile('webp', [...moving, '-c:v', 'libwebp_anim'])
    const avif = await makeFile('avif', [...moving, '-c:v', 'libaom-av1', '-cpu-used', '8'])
    for (const [file, name] of [
      [webp, 'WebP'],
      [avif, 'AVIF'],
    ] as const) {
      await expect(take({ file, duration: 1 })).rejects.toThrow(
        `files[0].url: the file is an animated ${name}, which cannot be read.`,
      )
    }
  })

  it('makes a clip of sound alone, as long as the sound and with all its samples', async () => {
    const sine = ['-f', 'lavfi', '-i', 'sine=d=0.5:sample_rate=48000']
    const picture = {
      field: 'background',
      ground: '#ff0000',
      path: undefined,
      waveColor: '#ffffff',
    }
    for (const extension of ['mp3', 'wav']) {
      const file = await makeFile(extension, sine)
      const [clip] = await takeWith({ soundPicture: picture, isHeardOnly: false }, { file })
      expect(clip?.facts.durationSeconds).toBeCloseTo(0.5, 3)
      expect(clip?.facts.video).toMatchObject({ width: 1920, height: 1080, hasConstantRate: true })
      // MP3 is decoded to fractions of a step.
      if (extension === 'wav') {
        expect(await samplesOf(clip?.file ?? '')).toEqual(await samplesOf(file))
      }
    }
    const unseen = { soundPicture: picture, isHeardOnly: true }
    const [heard] = await takeWith(unseen, { file: await makeFile('ogg', sine) })
    expect(heard?.facts.video).toMatchObject({ width: 16, height: 16 })
  })

  it('says what sound alone needs to become a video', async () => {
    const file = await makeFile('mp3', ['-f', 'lavfi', '-i', 'sine=d=0.2'])
    await expect(take({ file })).rejects.toThrow(
      'files[0].url: the file is sound alone (MP3), and a video needs a picture. Set background or waveform, or ask for outputs that are sounds.',
    )
  })

  it('names the field that is missing, wrong or too large', async () => {
    const png = await aSpot()
    await expect(take({ file: png })).rejects.toThrow(
      'files[0].duration: Required: files[0].url is a picture (PNG)',
    )
    await expect(take({ file: await makeVideo(), motion: 'zoom-in' })).rejects.toThrow(
      'files[0].motion: files[0].url is not a picture',
    )
    await expect(take({ file: flatPng(20_000, 20_000), duration: 1 })).rejects.toMatchObject({
      reason: 'source_too_large',
      message: expect.stringMatching(/^files\[0\]\.url: .*20000 × 20000/) as string,
    })
  })
})
