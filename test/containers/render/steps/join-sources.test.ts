import { describe, expect, it } from 'vitest'
import { optionsSchema } from '../../../../worker/contract/options/options.ts'
import { openClip } from '../../../../containers/render/frame/open-clip.ts'
import { compilePlan } from '../../../../containers/render/plan-render.ts'
import type { Source } from '../../../support/containers/films/job-here.ts'
import { planClips } from '../../../support/containers/films/plan-clips.ts'
import { makeFile, makeVideo } from '../../../support/node/fixtures.ts'
import { renderVideo } from '../../../support/containers/films/render-video.ts'
import { someFacts } from '../../../support/containers/films/facts.ts'
import { colorAt, ffmpeg, probe } from '../../../support/containers/run-tool.ts'
import { ebur128 } from '../../../support/containers/sound/ebur128.ts'
import { campaign } from '../../../support/node/campaign.ts'

const caps = { threads: 2, maxPixels: 40_000_000, maxOutputBytes: 1e9 }
const asked = { combine: true, compressionQuality: 80 }
const options = optionsSchema.parse(asked)

async function join(
  sources: readonly Source[],
  shape: Record<string, string> = {},
): Promise<string> {
  return (await renderVideo(sources, { ...asked, ...shape })).file
}

async function loudnessOf(file: string, from: number, to: number): Promise<number> {
  const measure = `atrim=${from}:${to},astats=metadata=1:reset=0,ametadata=print:key=lavfi.astats.Overall.RMS_level:file=-`
  const text = await ffmpeg(['-i', file, '-map', '0:a', '-af', measure, '-f', 'null', '-'])
  const level = [...text.matchAll(/RMS_level=(\S+)/g)].at(-1)?.[1]
  return level === undefined || level.includes('inf') ? -200 : Number(level)
}

async function solid(color: string, size: string, fps: number): Promise<string> {
  const picture = `color=c=${color}:s=${size}:r=${fps}:d=1`
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const sound = ['-f', 'lavfi', '-i', 'sine=d=1:sample_rate=22050']
  return makeFile('mp4', ['-f', 'lavfi', '-i', picture, ...sound, ...coding, '-ac', '1'])
}

describe('joinSources', () => {
  it('joins clips, brought to the size and rate of the first one, and their sounds apart from their pictures', () => {
    const small = someFacts({
      durationSeconds: 2,
      video: { width: 100, height: 200, endSeconds: 2 },
      audio: null,
    })
    const clips = [openClip('in0', someFacts(), {}), openClip('in1', small, {})] as const
    const plan = planClips([...clips], options, caps)
    const { args } = compilePlan(plan, 'out.mp4', caps)
    const stereo = 'aformat=sample_fmts=fltp:channel_layouts=stereo'
    expect(args[args.indexOf('-filter_complex') + 1]?.split(';')).toEqual([
      '[0:0]scale=w=320:h=240[f0p0]',
      '[f0p0]setsar=sar=1[f1p0]',
      '[f1p0]format=pix_fmts=yuv420p[f2p0]',
      '[f2p0]tpad=stop_mode=clone:stop=1[f3p0]',
      '[f3p0]fps=fps=25/1:start_time=0[f4p0]',
      '[f4p0]tpad=stop_mode=clone:stop=100[f5p0]',
      '[f5p0]trim=end_frame=100[f6p0]',
      '[f6p0]setpts=expr=PTS-STARTPTS[f7p0]',
      '[1:0]scale=w=100:h=200[f8p0]',
      '[f8p0]scale=w=120:h=240:flags=bicubic[f9p0]',
      '[f9p0]pad=w=320:h=240:x=100:y=0:color=black[f10p0]',
      '[f10p0]setsar=sar=1[f11p0]',
      '[f11p0]format=pix_fmts=yuv420p[f12p0]',
      '[f12p0]tpad=stop_mode=clone:stop=1[f13p0]',
      '[f13p0]fps=fps=25/1:start_time=0[f14p0]',
      '[f14p0]tpad=stop_mode=clone:stop=50[f15p0]',
      '[f15p0]trim=end_frame=50[f16p0]',
      '[f16p0]setpts=expr=PTS-STARTPTS[f17p0]',
      '[f7p0][f17p0]concat=n=2:v=1:a=0[f18p0]',
      '[0:1]aresample=sample_rate=48000:async=1:first_pts=0[f19p0]',
      `[f19p0]${stereo}[f20p0]`,
      '[f20p0]apad=whole_len=192000[f21p0]',
      '[f21p0]atrim=end_sample=192000[f22p0]',
      '[f22p0]asetpts=expr=round(N/SR/TB)[f23p0]',
      'anullsrc=channel_layout=stereo:sample_rate=48000[f24p0]',
      `[f24p0]${stereo}[f25p0]`,
      '[f25p0]atrim=end_sample=96000[f26p0]',
      '[f26p0]asetpts=expr=round(N/SR/TB)[f27p0]',
      '[f23p0][f27p0]concat=n=2:v=0:a=1[f28p0]',
    ])
  })

  it('says how many pictures of a clip are left out, because all are shown at the rate of the first one', () => {
    const clipOf = (rate: number, i: number) =>
      openClip(`in${i}`, someFacts({ video: { averageFps: rate } }), {})
    const warningsFor = (first: number, ...others: readonly number[]) => {
      const clips = [clipOf(first, 0), ...others.map((rate, i) => clipOf(rate, i + 1))] as const
      return planClips(clips, optionsSchema.parse({ combine: true }), caps).warnings
    }
    expect(warningsFor(25, 30, 60)).toEqual([
      'combine: files[2] has 60 pictures a second, and the result has 25, as its first video: the others are left out.',
    ])
    expect(warningsFor(25, 30, 12)).toEqual([])
  })

  it('does nothing to a single clip', () => {
    const plan = planClips(
      [openClip('in0', someFacts(), {})],
      optionsSchema.parse({ combine: true }),
      caps,
    )
    expect([plan.video, plan.audio, plan.steps]).toEqual(['copy', 'copy', []])
  })

  it('removes the sound of a single clip, and still copies its picture', () => {
    const clip = openClip('in0', someFacts(), { disableAudio: true })
    const plan = planClips([clip], optionsSchema.parse({ combine: true }), caps)
    expect([plan.video, plan.audio]).toEqual(['copy', 'none'])
  })

  it('joins clips that differ in every respect, exact to the frame', async () => {
    const portrait = ['-vf', 'setsar=2/1', '-c:v', 'libvpx', '-b:v', '100k', '-c:a', 'libopus']
    const file = await join([
      { file: await makeVideo({ seconds: 2, fps: 25, size: '160x120' }) },
      {
        file: await makeVideo({
          seconds: 1,
          fps: 50,
          size: '90x160',
          tone: null,
          coding: portrait.slice(0, 6),
          extension: 'webm',
        }),
      },
      {
        file: await makeVideo({
          seconds: 1.5,
          fps: '30000/1001',
          size: '320x180',
          channels: 1,
          sampleRate: 22_050,
        }),
      },
    ])
    const { streams } = await probe(file)
    const [video, audio] = streams
    // 37 of 37.5 pictures: ffmpeg makes 45 of 1.5 s at 29.97, which end at 1.5015 s.
    expect(video).toMatchObject({
      width: 160,
      height: 120,
      sample_aspect_ratio: '1:1',
      avg_frame_rate: '25/1',
    })
    expect(Number(video?.['nb_read_frames'])).toBe(50 + 25 + 38)
    expect(audio).toMatchObject({ channels: 2, sample_rate: '48000' })
    expect(Math.abs(Number(audio?.['duration']) - Number(video?.['duration']))).toBeLessThan(0.03)
    expect(await loudnessOf(file, 0.2, 1.8)).toBeGreaterThan(-40)
    expect(await loudnessOf(file, 2.2, 2.8)).toBeLessThan(-80)
    expect(await loudnessOf(file, 3.2, 4.4)).toBeGreaterThan(-40)
  })

  it('mutes a clip, or makes it quieter or louder, without touching another or going above full scale', async () => {
    const clip = await makeVideo({ seconds: 1 })
    const plain = await loudnessOf(clip, 0.2, 0.8)
    const file = await join([
      { file: clip, asked: { volume: 0.5 } },
      { file: clip, asked: { disableAudio: true } },
      { file: clip },
    ])
    expect(await loudnessOf(file, 0.2, 0.8)).toBeCloseTo(plain - 6.02, 0)
    expect(await loudnessOf(file, 1.1, 1.9)).toBeLessThan(-80)
    expect(await loudnessOf(file, 2.2, 2.8)).toBeCloseTo(plain, 0)
    const louder = await join([{ file: clip }, { file: clip, asked: { volume: 4 } }])
    expect(await loudnessOf(louder, 0.2, 0.8)).toBeCloseTo(plain, 0)
    expect((await ebur128(louder)).truePeak).toBeLessThanOrEqual(-1)
  })

  campaign('holds the last picture of a clip while its sound continues', async () => {
    const still = ['-f', 'lavfi', '-i', 'color=c=red:s=160x120:r=25:d=0.2']
    const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
    const coding = [...h264, '-c:a', 'aac']
    const spoken = await makeFile('mp4', [...still, '-f', 'lavfi', '-i', 'sine=d=1', ...coding])
    const file = await join([{ file: spoken }, { file: await solid('blue', '160x120', 25) }])
    expect((await colorAt(file, 0.9))[0]).toBeGreaterThan(240)
    expect((await colorAt(file, 1.1))[2]).toBeGreaterThan(240)
    expect(await loudnessOf(file, 0.3, 0.9)).toBeGreaterThan(-40)
  })

  campaign('makes no sound track when no clip has one', async () => {
    const clip = await makeVideo({ seconds: 1, tone: null })
    expect((await probe(await join([{ file: clip }, { file: clip }]))).streams).toHaveLength(1)
  })

  campaign('keeps the colours of every clip, whatever its colour space', async () => {
    const other = ['-vf', 'scale=out_color_matrix=bt709,format=yuv420p', '-colorspace', 'bt709']
    const picture = ['-f', 'lavfi', '-i', 'color=c=red:s=160x120:r=25:d=1,format=rgb24']
    const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '0', '-pix_fmt', 'yuv420p']
    const plain = await makeFile('mp4', [...picture, ...coding])
    const hd = await makeFile('mp4', [...picture, ...other, ...coding])
    for (const clips of [
      [plain, hd],
      [hd, plain],
    ]) {
      const file = await join(clips.map((clip) => ({ file: clip })))
      for (const seconds of [0.5, 1.5]) {
        const [red = 0, green = 255, blue = 255] = await colorAt(file, seconds)
        expect(red).toBeGreaterThan(250)
        expect(Math.max(green, blue)).toBeLessThan(5)
      }
    }
  })

  it('shows each clip at its time, letterboxed in black', async () => {
    const file = await join([
      { file: await solid('red', '160x120', 25) },
      { file: await solid('lime', '60x120', 30) },
    ])
    const [red = 0, , redBlue = 255] = await colorAt(file, 0.5)
    expect(red).toBeGreaterThan(240)
    expect(redBlue).toBeLessThan(15)
    // 60 of 160 columns are green, the rest black: the mean is dark green.
    const [lime = 255, green = 0] = await colorAt(file, 1.5)
    expect(lime).toBeLessThan(15)
    expect(green).toBeGreaterThan(70)
    expect(green).toBeLessThan(120)
  })

  campaign('gives each clip the requested shape separately, without bars inside bars', async () => {
    const sources = [
      { file: await solid('red', '160x80', 25) },
      { file: await solid('blue', '80x160', 25) },
    ]
    const meansOf = async (resizeMode: string): Promise<number[][]> => {
      const shape = { aspectRatio: '1:1', resizeMode, backgroundColor: '#00ff00' }
      const file = await join(sources, shape)
      return [await colorAt(file, 0.5), await colorAt(file, 1.5)]
    }
    const near = (value: number) => expect.closeTo(value, -1.5) as number
    expect(await meansOf('contain')).toEqual([
      [near(128), near(128), near(0)],
      [near(0), near(128), near(128)],
    ])
    expect(await meansOf('cover')).toEqual([
      [near(255), near(0), near(0)],
      [near(0), near(0), near(255)],
    ])
  })

  campaign('letterboxes in the requested colour, even if no shape is requested', async () => {
    const file = await join(
      [{ file: await solid('red', '160x80', 25) }, { file: await solid('blue', '40x80', 25) }],
      { backgroundColor: '#00ff00' },
    )
    const [red = 255, green = 0] = await colorAt(file, 1.5)
    expect(red).toBeLessThan(15)
    // Three quarters of it are bars.
    expect(green).toBeGreaterThan(180)
  })
})
