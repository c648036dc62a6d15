import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFile } from '../../support/node/fixtures.ts'
import { halfWebm, plainImage, plainVideo } from '../../support/containers/films/element-files.ts'
import { countedVideo, shownNumbers } from '../../support/containers/films/counted-video.ts'
import {
  firstFrame,
  framesOf,
  rgbOf,
  colorDistance,
} from '../../support/containers/films/frame-pixels.ts'
import { expectColor, overlay } from '../../support/containers/films/overlay-elements.ts'
import { renderVideo } from '../../support/containers/films/render-video.ts'
import { frameTimes, packetHashes, probe } from '../../support/containers/run-tool.ts'
import { samplesOf } from '../../support/containers/sound/samples.ts'
import { amplitudeAt } from '../../support/containers/sound/sound-files.ts'
import { campaign } from '../../support/node/campaign.ts'

const quickly = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '4']

/** One colour, coded by one matrix, without a word about it in the file. */
async function untagged(color: string, size: string, matrix: string): Promise<string> {
  const picture = `color=c=${color}:s=${size}:r=25:d=0.12,format=gbrp`
  const coded = `scale=out_color_matrix=${matrix}:out_range=limited,format=yuv420p`
  const mute = `${coded},setparams=colorspace=unknown`
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, '-vf', mute, ...quickly])
}

/** Moves for half a second, stands still for two, and once more at the end: a screen that is recorded. */
async function screenRecording(extension: string): Promise<string> {
  const picture = "testsrc2=s=64x64:r=30:d=3,select='lt(n,15)+eq(n,75)'"
  const coding = extension === 'webm' ? ['-c:v', 'libvpx', '-b:v', '300k'] : quickly
  return makeFile(extension, ['-f', 'lavfi', '-i', picture, '-fps_mode', 'vfr', ...coding])
}

async function pictureSeconds(file: string): Promise<number> {
  const { streams } = await probe(file)
  return Number(streams.find((stream) => stream['codec_type'] === 'video')?.['duration'])
}

describe('colours', () => {
  campaign('interprets an untagged picture as players do, and tags the result', async () => {
    const cases = [
      { size: '1280x720', matrix: 'bt709', tag: 'bt709' },
      { size: '640x480', matrix: 'smpte170m', tag: 'smpte170m' },
    ]
    for (const { size, matrix, tag } of cases) {
      const source = await untagged('0xc83c28', size, matrix)
      const asked = [{ file: await plainImage('#c83c28', '64x64'), position: { x: '0%', y: '0%' } }]
      const { file } = await overlay(source, asked)
      expect((await probe(file)).streams[0]).toMatchObject({ color_space: tag })
      const frame = await firstFrame(file)
      expect(colorDistance(frame.at(32, 32), rgbOf('#c83c28'))).toBeLessThan(5)
      expect(colorDistance(frame.at(320, 240), rgbOf('#c83c28'))).toBeLessThan(5)
    }
  })

  it('keeps the colours of a source in red, green and blue', async () => {
    const picture = ['-f', 'lavfi', '-i', 'color=c=0xc83c28:s=64x64:r=25:d=0.12,format=rgb24']
    const source = await makeFile('mov', [...picture, '-c:v', 'libx264rgb', '-qp', '0'])
    const { file } = await renderVideo([{ file: source }], { compressionQuality: 99 })
    expect((await probe(file)).streams[0]).toMatchObject({ pix_fmt: 'yuv420p' })
    expect(colorDistance((await firstFrame(file)).at(32, 32), rgbOf('#c83c28'))).toBeLessThan(5)
  })
})

describe('sizes', () => {
  const solid = (color: string, size: string): Promise<string> =>
    makeFile('h264', [
      ...['-f', 'lavfi', '-i', `color=c=${color}:s=64x64:r=25:d=0.4,scale=${size},setsar=1`],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p'],
    ])

  it('continues in its first size if a call or a window changes the size', async () => {
    const parts = [await solid('red', '64:48'), await solid('blue', '96:96')]
    const joined = ['-r', '25', '-i', `concat:${parts.join('|')}`, '-c', 'copy']
    const source = await makeFile('mp4', joined)
    const removeSegments = [{ startTime: 0.2, endTime: 0.4 }]
    const { file } = await renderVideo([{ file: source }], { removeSegments })
    const frames = await framesOf(file)
    expect(frames.map(({ width, height }) => `${width}x${height}`)).toEqual(
      Array.from({ length: 15 }, () => '64x48'),
    )
    const blues = frames.map((frame) => (frame.at(32, 24)[2] > 200 ? 1 : 0))
    expect(blues.join('')).toBe('000001111111111')
  })

  campaign('doubles a side that is too small to be encoded', async () => {
    const source = await makeFile('mp4', [
      '-r',
      '25',
      '-i',
      await solid('red', '1:3'),
      '-c',
      'copy',
    ])
    const { file, plan } = await renderVideo([{ file: source }], { compressionQuality: 90 })
    expect(plan.video).toBe('encode')
    expect((await probe(file)).streams[0]).toMatchObject({ width: 2, height: 2 })
  })
})

describe('transparent videos', () => {
  campaign('are shown on the background colour whenever they are encoded', async () => {
    const webm = await halfWebm('#40a020', 0.2, 'libvpx-vp9')
    const mov = await makeFile('mov', ['-c:v', 'libvpx-vp9', '-i', webm, '-c:v', 'png'])
    for (const file of [webm, mov]) {
      const asked = { outputFormat: 'mp4', backgroundColor: '#c83c28' }
      const frames = await framesOf((await renderVideo([{ file }], asked)).file)
      expect(frames).toHaveLength(5)
      expectColor(frames[4], [16, 32], rgbOf('#40a020'))
      expectColor(frames[4], [48, 32], rgbOf('#c83c28'))
    }
  })

  campaign('stay transparent in a copy', async () => {
    const file = await halfWebm('#40a020', 0.2, 'libvpx-vp9')
    const copy = await renderVideo([{ file }], { outputFormat: 'webm' })
    expect(copy.plan.video).toBe('copy')
    expect(await packetHashes(copy.file, '0:v')).toEqual(await packetHashes(file, '0:v'))
    expect((await probe(copy.file)).streams[0]).toMatchObject({ tags: { alpha_mode: '1' } })
  })
})

describe('pictures at irregular times', () => {
  it('keep their times, and have the duration of all of them', async () => {
    const source = await screenRecording('mp4')
    const { file, plan } = await renderVideo([{ file: source }], { compressionQuality: 60 })
    expect(plan.sources[0]?.averageFps).toBeLessThan(10)
    const times = await frameTimes(file)
    expect([times.length, times.at(-1)]).toEqual([16, 2.5])
    expect(await pictureSeconds(file)).toBeGreaterThan(2.5)
  })

  campaign('move as smoothly as before if a steady rate is needed', async () => {
    for (const extension of ['mp4', 'webm']) {
      const source = await screenRecording(extension)
      const { file } = await renderVideo([{ file: source }], { outputFormat: 'avi' })
      const { streams } = await probe(file)
      expect(streams[0]).toMatchObject({ avg_frame_rate: '30/1', nb_read_frames: '76' })
    }
  })

  it('show an element at its time even while nothing else changes', async () => {
    const source = await screenRecording('webm')
    const asked = [
      { file: await plainImage('#ffffff', '64x64'), timing: { startTime: 1, endTime: 1.5 } },
    ]
    const { file } = await overlay(source, asked)
    const frames = await framesOf(file)
    const shown = frames.flatMap((frame, i) => (Math.min(...frame.at(20, 40)) > 240 ? [i] : []))
    expect([shown.at(0), shown.at(-1), shown.length]).toEqual([30, 44, 15])
  })
})

/** The tone of 1 kHz in both channels of a result. */
async function tones(file: string): Promise<number[]> {
  const both = await samplesOf(file, 48_000, 'stereo')
  const channel = (of: number): Float32Array =>
    Float32Array.from({ length: both.length / 2 }, (_, i) => both[2 * i + of] ?? 0)
  return [0, 1].map((of) => amplitudeAt(channel(of), 48_000, 0.3))
}

async function withTone(channels: number, coding: readonly string[]): Promise<string> {
  const wave = '0.2*sin(2*PI*1000*t)'
  const silent = Array.from({ length: channels - 1 }, () => '0')
  // The centre of six, and of one.
  const all = channels === 6 ? ['0', '0', wave, '0', '0', '0'] : [wave, ...silent]
  const layout = channels === 6 ? '5.1' : 'mono'
  const sound = `aevalsrc=exprs='${all.join('|')}':c=${layout}:s=48000:d=1`
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25:d=1']
  return makeFile('mov', [...picture, '-f', 'lavfi', '-i', sound, ...quickly, ...coding])
}

const cut = { removeSegments: [{ startTime: 0.8, endTime: 1 }] }

describe('channels', () => {
  campaign('plays a single channel on both sides, as loud as it is', async () => {
    const mono = await withTone(1, ['-c:a', 'aac', '-b:a', '128k'])
    for (const level of await tones((await renderVideo([{ file: mono }], cut)).file)) {
      expect(level).toBeCloseTo(0.2, 2)
    }
  })

  campaign('plays the centre of six channels at the same level, in every codec', async () => {
    const whole = await withTone(6, ['-c:a', 'pcm_s16le'])
    const coded = await withTone(6, ['-c:a', 'aac', '-b:a', '384k'])
    for (const [file, asked] of [
      [whole, cut],
      [coded, cut],
      [whole, { outputFormat: 'webm' }],
      [coded, { outputFormat: 'avi' }],
    ] as const) {
      const { file: result, plan } = await renderVideo([{ file }], asked)
      expect(plan.warnings).toEqual([
        'The source has sound in 6 channels; it was mixed into stereo.',
      ])
      for (const level of await tones(result)) {
        expect(level, path.extname(result)).toBeCloseTo(0.2 * Math.SQRT1_2, 2)
      }
    }
  })
})

const sineInput = ['-f', 'lavfi', '-i', "aevalsrc='0.5*sin(2*PI*1000*t)':s=48000:d=0.6"]

describe('AVI, which stores no times', () => {
  it('keeps picture and sound together from the first frame on', async () => {
    const picture = await countedVideo({ seconds: 1.2, fps: 25, sound: null })
    const tone = "aevalsrc='if(gte(t,0.6),0.5*sin(2*PI*1000*t),0)':s=44100:d=1.2"
    const sounds = [
      ['-f', 'lavfi', '-i', tone],
      ['-itsoffset', '0.6', ...sineInput],
    ]
    for (const sound of sounds) {
      const tracks = ['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-c:a', 'aac']
      const source = await makeFile('mp4', ['-i', picture, ...sound, ...tracks])
      const { file } = await renderVideo([{ file: source }], { outputFormat: 'avi' })
      expect(await pictureSeconds(file)).toBe(1.2)
      expect(await shownNumbers(file)).toEqual(Array.from({ length: 30 }, (_, i) => i))
      const samples = await samplesOf(file, 48_000)
      const begin = samples.findIndex((sample) => Math.abs(sample) > 0.1) / 48_000
      expect(Math.abs(begin - 0.6)).toBeLessThan(0.003)
    }
  })

  campaign('keeps the last picture under bars and elements', async () => {
    const source = await plainVideo('#204060', 0.44)
    const asked = [{ file: await plainImage('#ffffff', '64x64') }]
    const shape = { aspectRatio: '1:1', resizeMode: 'contain', outputFormat: 'avi' }
    const { file } = await overlay(source, asked, shape)
    expect((await probe(file)).streams[0]).toMatchObject({ nb_read_frames: '11' })
  })

  campaign('shows pictures that are stored out of order at the time of their sound', async () => {
    const coding = ['-pix_fmt', 'yuv420p', '-bf', '2', '-c:a', 'pcm_s16le']
    const tone = "aevalsrc='if(gte(t,0.4),0.5*sin(2*PI*1000*t),0)':s=48000:d=0.8"
    for (const codec of ['libx264', 'mpeg4']) {
      const quality = codec === 'mpeg4' ? ['-q:v', '2'] : ['-qp', '4']
      const source = await countedVideo({
        seconds: 0.8,
        fps: 25,
        sound: tone,
        extension: 'avi',
        coding: ['-c:v', codec, ...quality, ...coding],
      })
      const { file } = await renderVideo([{ file: source }], { outputFormat: 'mp4' })
      expect(await shownNumbers(file)).toEqual(Array.from({ length: 20 }, (_, i) => i))
      expect((await frameTimes(file)).slice(0, 3)).toEqual([0, 0.04, 0.08])
      const samples = await samplesOf(file, 48_000)
      const begin = samples.findIndex((sample) => Math.abs(sample) > 0.1) / 48_000
      expect(Math.abs(begin - 0.4), codec).toBeLessThan(0.04)
    }
  })
})
