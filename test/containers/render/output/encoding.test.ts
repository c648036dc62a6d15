import { stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { audioKilobits } from '../../../../containers/render/output/encoding.ts'
import { crfOf } from '../../../../containers/render/output/picture-codecs.ts'
import { videoFormats, type VideoFormat } from '../../../../worker/contract/video/sniff-format.ts'
import { campaign, campaignAfter } from '../../../support/node/campaign.ts'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { ffmpeg, listed, probe } from '../../../support/containers/run-tool.ts'

const qualities = Array.from({ length: 100 }, (_, i) => i + 1)

async function render(source: string, options: Record<string, unknown>): Promise<string> {
  return (await renderVideo([{ file: source }], options)).file
}

/** What a camera sees: detail that moves, and noise. */
async function footage(): Promise<string> {
  const picture = 'mandelbrot=s=192x108:r=25,trim=duration=1,noise=alls=8:allf=t'
  const coding = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '12', '-pix_fmt', 'yuv420p']
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...coding])
}

type Quality = { bytes: number; likeness: number }

async function qualitiesOf(format: VideoFormat, steps: readonly number[]): Promise<Quality[]> {
  const source = await footage()
  const found: Quality[] = []
  for (const compressionQuality of steps) {
    const file = await render(source, { outputFormat: format, compressionQuality })
    found.push({ bytes: (await stat(file)).size, likeness: await likenessOf(file, source) })
  }
  return found
}

/** Structural similarity, over all pictures. */
async function likenessOf(file: string, source: string): Promise<number> {
  const compared = ['-filter_complex', '[0:v][1:v]ssim=stats_file=-', '-f', 'null', '-']
  const text = await ffmpeg(['-i', file, '-i', source, ...compared])
  const values = [...text.matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value))
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Every step is smaller and less like the source than the one before. */
function expectFalling(found: readonly Quality[]): void {
  for (const [i, { bytes, likeness }] of found.slice(1).entries()) {
    expect(bytes).toBeLessThan(found[i]?.bytes ?? 0)
    expect(likeness).toBeLessThan(found[i]?.likeness ?? 0)
  }
}

describe('crfOf', () => {
  it('falls with every step of quality if the encoder accepts fractions', () => {
    const values = qualities.map((quality) => crfOf('h264', quality))
    expect(values).toEqual([...new Set(values)].sort((a, b) => b - a))
    expect([values.at(0), values.at(-1)]).toEqual([44, 14])
  })

  it('never rises if the encoder accepts only whole numbers', () => {
    const values = qualities.map((quality) => crfOf('vp9', quality))
    expect(values).toEqual([...values].sort((a, b) => b - a))
  })
})

it('audioKilobits uses only bit rates that MP3 has', () => {
  expect(audioKilobits('avi', 50, 2)).toBe(192)
  expect(audioKilobits('avi', 100, 2)).toBe(320)
  expect(audioKilobits('mp4', 100, 1)).toBe(128)
})

describe('videoCoding', () => {
  for (const [i, steps] of [
    [100, 70, 1],
    [100, 80, 60, 40, 20, 1],
  ].entries()) {
    const title = `makes an MP4 smaller and less like its source from quality to quality: ${steps.join(', ')}`
    it(title, { tags: campaignAfter(1, i) }, async () => {
      const found = await qualitiesOf('mp4', steps)
      expect(found[0]?.likeness).toBe(1)
      expectFalling(found)
    })
  }

  campaign(
    'makes a WebM smaller and less like its source with every step down in quality',
    async () => {
      const found = await qualitiesOf('webm', [100, 80, 60, 40, 20, 1])
      expect(found[0]?.likeness).toBeGreaterThan(0.95)
      expectFalling(found)
    },
  )

  it('gives each container the codecs that its players expect', async () => {
    const source = await makeVideo({ seconds: 1, size: '161x121', coding: odd })
    const codecs = await Promise.all(
      videoFormats.map(async (outputFormat) => {
        const file = await render(source, { outputFormat, compressionQuality: 40 })
        const { streams } = await probe(file)
        const [video] = streams
        expect(video).toMatchObject({
          width: 160,
          height: 120,
          pix_fmt: 'yuv420p',
          nb_read_frames: '25',
        })
        return [outputFormat, ...streams.map((stream) => stream['codec_name'])].join(' ')
      }),
    )
    expect(codecs).toEqual(['mp4 h264 aac', 'mov h264 aac', 'avi h264 mp3', 'webm vp9 opus'])
  })

  it('spends no bytes on key pictures that a film of still pictures hardly has', async () => {
    const pictures = ['testsrc2=s=128x96:r=10:d=6', 'color=teal:s=128x96:r=10:d=6']
    const keys = pictures.map(async (picture) => {
      const source = await makeFile('mp4', ['-f', 'lavfi', '-i', picture, '-c:v', 'libx264'])
      const file = await render(source, { rotate: 90 })
      return (await listed(file, 'packet=flags')).filter((flags) => flags.startsWith('K')).length
    })
    expect(await Promise.all(keys)).toEqual([3, 1])
  })

  campaign('converts white from full to limited range', async () => {
    const picture = ['-f', 'lavfi', '-i', 'color=white:s=64x64:d=0.4']
    const full = ['-vf', 'scale=out_range=full,format=yuvj420p', '-c:v', 'libx264']
    const file = await render(await makeFile('mp4', [...picture, ...full]), {
      compressionQuality: 99,
    })
    expect((await probe(file)).streams[0]).not.toMatchObject({ color_range: 'pc' })
    expect(await firstLuma(file)).toBe(235)
  })
})

it('remux removes the metadata of the source', async () => {
  const title = ['-metadata', 'title=<script>alert(1)</script>']
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', ...title]
  const file = await render(await makeVideo({ seconds: 1, coding }), {})
  expect(JSON.stringify((await probe(file)).format)).not.toContain('script')
})

/** 4:4:4, because ffmpeg itself refuses odd sides in 4:2:0. */
const odd = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p', '-c:a', 'aac']

async function firstLuma(file: string): Promise<number> {
  const printed = ['-vf', 'signalstats,metadata=print:file=-', '-f', 'null', '-']
  const text = await ffmpeg(['-i', file, ...printed])
  return Number(/lavfi\.signalstats\.YAVG=(\S+)/.exec(text)?.[1])
}
