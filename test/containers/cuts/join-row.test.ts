import { readFile, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { JobStop } from '../../../containers/errors/job-error.ts'
import { faultOfRow } from '../../../containers/cuts/proof/prove-row.ts'
import { doubtOfRow } from '../../../containers/job/render/render-cut.ts'
import { measurePacking, type Packing } from '../../../containers/ffmpeg/measure-packing.ts'
import { applyOptions } from '../../../containers/render/apply-options.ts'
import { bareSources } from '../../support/containers/films/plan-clips.ts'
import { chooseRow } from '../../../containers/cuts/plan/choose-row.ts'
import { openClip } from '../../../containers/render/frame/open-clip.ts'
import { timelineOf } from '../../../containers/timeline/timeline.ts'
import { optionsSchema } from '../../../worker/contract/options/options.ts'
import { measureMedia } from '../../../containers/ffmpeg/measure-media.ts'
import { makeFile } from '../../support/node/fixtures.ts'
import { countedVideo, shownNumbers } from '../../support/containers/films/counted-video.ts'
import type { Source } from '../../support/containers/films/job-here.ts'
import { renderVideo, type RenderedVideo } from '../../support/containers/films/render-video.ts'
import { listed, pictureHashes } from '../../support/containers/run-tool.ts'
import { campaign } from '../../support/node/campaign.ts'

const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-pix_fmt', 'yuv420p']
const withSound = ['-c:a', 'aac', '-b:a', '128k']
const coding = [...h264, ...withSound]

const clip = async (firstNumber: number, spec: Partial<Parameters<typeof countedVideo>[0]> = {}) =>
  countedVideo({ seconds: 2, fps: 25, firstNumber, coding, ...spec })

const joined = async (files: readonly string[], options: Record<string, unknown> = {}) =>
  renderVideo(
    files.map((file): Source => ({ file })),
    options,
  )

/** Seconds at which the pictures are shown. */
async function times(file: string): Promise<number[]> {
  const found = (await listed(file, 'packet=pts_time')).map(Number.parseFloat)
  return found.sort((a, b) => a - b)
}

async function seconds(file: string, stream: 'v' | 'a'): Promise<number> {
  const [duration = ''] = await listed(file, 'stream=duration', ['-select_streams', stream])
  return Number.parseFloat(duration)
}

async function faultIn({ tools, plan }: RenderedVideo): Promise<string | undefined> {
  if (!plan.row) throw new Error('Not a row')
  const name = `out.${plan.format}`
  const facts = await measureMedia(tools, { path: name, field: 'result', maxSeconds: 1_000 })
  return faultOfRow(tools, { name, facts }, plan.row)
}

describe('a join of like clips', () => {
  it('keeps every stored picture at its time, and encodes the sound once', async () => {
    const files = [await clip(0), await clip(100), await clip(200)]
    const result = await joined(files)
    expect(result.described).toMatchObject({ video: 'copy', audio: 'encode', whyEncoded: null })
    expect(await pictureHashes(result.file)).toEqual(
      (await Promise.all(files.map(pictureHashes))).flat(),
    )
    expect(await shownNumbers(result.file)).toEqual(
      [0, 100, 200].flatMap((from) => Array.from({ length: 50 }, (_, i) => from + i)),
    )
    const shown = await times(result.file)
    shown.forEach((at, i) => expect(at).toBeCloseTo(i / 25, 3))
    expect(
      Math.abs((await seconds(result.file, 'v')) - (await seconds(result.file, 'a'))),
    ).toBeLessThan(0.04)
    expect(await faultIn(result)).toBeUndefined()
  })

  campaign('joins the sound exactly as an encoded join does', async () => {
    const files = [await clip(0), await clip(100, { sound: 'sine=f=700:d=2' })]
    const [copied, encoded] = [await joined(files), await joined(files, { compressionQuality: 99 })]
    expect([copied.plan.video, encoded.plan.video]).toEqual(['copy', 'encode'])
    expect(await seconds(copied.file, 'a')).toBeCloseTo(await seconds(encoded.file, 'a'), 3)
  })

  campaign(
    'copies the picture if the sound is cleaned, also that of a clip without sound',
    async () => {
      const files = [await clip(0), await clip(100, { sound: null, coding: h264 })]
      const result = await joined(files, { normalizeAudio: true })
      expect(result.described).toMatchObject({ video: 'copy', audio: 'encode' })
      expect(await seconds(result.file, 'a')).toBeCloseTo(4, 1)
    },
  )

  campaign('keeps irregular times of pictures, and the rotation of a phone', async () => {
    const variable = [...coding, '-fps_mode', 'vfr']
    const lying = [
      await clip(0, { isVariable: true, coding: variable }),
      await clip(100, { isVariable: true, coding: variable }),
    ]
    const turned = await Promise.all(
      lying.map(async (file) =>
        makeFile('mp4', ['-i', file, '-c', 'copy', '-metadata:s:v', 'rotate=90']),
      ),
    )
    const result = await joined(turned)
    expect(result.plan.video).toBe('copy')
    expect([result.plan.width, result.plan.height]).toEqual([16, 128])
    const own = await times(turned[0] ?? '')
    const shown = await times(result.file)
    expect(shown.slice(0, own.length)).toEqual(own)
    shown.slice(own.length).forEach((at, i) => expect(at).toBeCloseTo(2 + (own[i] ?? 0), 3))
    expect(await faultIn(result)).toBeUndefined()
  })

  campaign('copies WebM too', async () => {
    const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']
    const files = [
      await clip(0, { coding: vp9, extension: 'webm' }),
      await clip(100, { coding: vp9, extension: 'webm' }),
    ]
    const result = await joined(files, { outputFormat: 'webm' })
    expect(result.plan.video).toBe('copy')
    expect(await pictureHashes(result.file)).toEqual(
      (await Promise.all(files.map(pictureHashes))).flat(),
    )
    expect(await faultIn(result)).toBeUndefined()
  })

  it.each([
    [
      'another decoder has to be told',
      { coding: [...h264, '-x264-params', 'cabac=0', ...withSound] },
      /files\[1\] differs in its parameter sets/,
    ],
    ['a rate is another', { fps: 30 }, /frame rate/],
  ])('is encoded if %s', async (_what, spec, why) => {
    const result = await joined([await clip(0), await clip(100, spec)])
    expect(result.described).toMatchObject({ video: 'encode' })
    expect(result.plan.whyEncoded).toMatch(why)
    expect(await shownNumbers(result.file)).toHaveLength(100)
  })

  it.each([
    [{ aspectRatio: '1:1' }, 'aspectRatio changes its pictures'],
    [{ color: { contrast: 1.2 }, flip: 'vertical' }, 'color and flip change its pictures'],
    [{ removeSegments: [{ startTime: 0.5, endTime: 1 }] }, 'its pictures are cut'],
    [{ compressionQuality: 80 }, 'compressionQuality is below 100'],
    [{ outputFormat: 'webm' }, 'files[0] cannot be copied into webm'],
  ])('is encoded if the request has %o', { tags: 'campaign' }, async (options, why) => {
    const result = await joined([await clip(0), await clip(100)], options)
    expect(result.described).toMatchObject({ video: 'encode', whyEncoded: why })
  })

  it('is rejected if a picture is missing, late or different', async () => {
    const result = await joined([await clip(0), await clip(100)])
    const { row } = result.plan
    if (!row) throw new Error('Not a row')
    const { packing, files } = row
    const [first, second] = files
    if (!second) throw new Error('Not two files')
    const told = async (changes: Partial<typeof row>) =>
      faultIn({ ...result, plan: { ...result.plan, row: { ...row, ...changes } } })
    const half = { ...packing, sizes: packing.sizes.slice(0, 50) }
    expect(await told({ packing: half })).toBe('it has 100 pictures, not 50')
    const shownAt = packing.shownAt.map((at, i) => (i < 50 ? at : at + 0.04))
    expect(await told({ packing: { ...packing, shownAt } })).toMatch(/another time/)
    const swapped = [
      { ...first, path: 'in1' },
      { ...second, path: 'in0' },
    ] as const
    expect(await told({ files: swapped })).toBe('a copied picture is not that of the source')
    const earlier = [{ ...first, startSeconds: 0.08 }, second] as const
    expect(await told({ files: earlier })).toMatch(/^pictures around 2.000 s are decoded otherwise/)
  })

  it('is rejected if a single byte of a picture is another, far from a joint', async () => {
    const result = await joined([await clip(0), await clip(100)])
    const request = { path: 'out.mp4', field: 'result', maxSeconds: 100 }
    const facts = await measureMedia(result.tools, request)
    const { positions, sizes } = await measurePacking(result.tools, 'out.mp4', facts)
    const at = (positions[70] ?? 0) + (sizes[70] ?? 0) - 2
    const bytes = await readFile(result.file)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    await writeFile(result.file, bytes)
    expect(await faultIn(result)).toBe('a copied picture is not that of the source')
  })

  campaign('is rejected if the proof takes too long, or the file cannot be read', async () => {
    const { plan, tools } = await joined([await clip(0), await clip(100)])
    if (!plan.row) throw new Error('Not a row')
    const name = 'out.mp4'
    const facts = await measureMedia(tools, { path: name, field: 'result', maxSeconds: 100 })
    const result = { name, facts }
    const hurried = { ...tools, limits: { ...tools.limits, wallMs: 1 } }
    expect(await doubtOfRow(tools, result, plan.row)).toBeUndefined()
    expect(await doubtOfRow(hurried, result, plan.row)).toMatch(/^it could not be proven/)
    expect(await doubtOfRow(tools, { ...result, name: 'gone.mp4' }, plan.row)).toBe(
      'its file cannot be read',
    )
    const stopped = { ...tools, signal: AbortSignal.abort(new JobStop('canceled')) }
    await expect(doubtOfRow(stopped, result, plan.row)).rejects.toThrow('canceled')
  })

  it('compares a limited number of packets, and is encoded if there are more', async () => {
    const { plan, tools } = await joined([await clip(0), await clip(100)])
    if (!plan.row) throw new Error('Not a row')
    const facts = await measureMedia(tools, { path: 'in0', field: 'file', maxSeconds: 100 })
    const packing = await measurePacking(tools, 'in0', facts)
    const short = await measurePacking(tools, 'in0', facts, 30)
    expect([short.isWhole, short.sizes.length]).toEqual([false, 30])
    const clips = [openClip('in0', facts, {}), openClip('in1', facts, {})] as const
    const rowOf = (packings: readonly Packing[]) =>
      chooseRow({ clips, timeline: timelineOf(clips), packings }, 'mp4')
    expect(rowOf([packing, short])).toEqual({
      why: 'files[1] has too many pictures to compare',
    })
    expect(rowOf([packing, packing])).toHaveProperty('row')
    const late = { ...packing, beginsWithKey: false }
    expect(rowOf([packing, late])).toEqual({
      why: 'files[1] needs pictures before its first one',
    })
    const options = optionsSchema.parse({})
    const sources = bareSources(clips, options, { packings: [packing, packing] })
    const forbidden = applyOptions(sources, options, { forbidden: 'a copy was not true' })
    expect(forbidden).toMatchObject({ row: undefined, whyEncoded: 'a copy was not true' })
  })
})
