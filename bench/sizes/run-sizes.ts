import { copyFile, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { measureBytes } from '../../containers/ffmpeg/measure-bytes.ts'
import { measureMedia } from '../../containers/ffmpeg/measure-media.ts'
import { runFfmpeg } from '../../containers/ffmpeg/process/run-ffmpeg.ts'
import { readTool, type ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { renderInBudget } from '../../containers/job/render/render-in-budget.ts'
import { openClip } from '../../containers/render/frame/open-clip.ts'
import { compilePlan, type RenderPlan } from '../../containers/render/plan-render.ts'
import type { Clip } from '../../containers/timeline/clip.ts'
import { planClips } from '../../test/support/containers/plan-clips.ts'
import { optionsSchema } from '../../worker/contract/options/options.ts'
import { childSeconds } from '../engine/child-seconds.ts'
import { describeMachine } from '../machine.ts'
import { readOptions } from '../read-options.ts'
import { toolsIn } from '../tools-in.ts'

export const sizesHelp = `Usage: npm run bench -- sizes [--folder DIR]

Crops clips to a square at quality 100: within the bytes of the source as the media worker does, at a constant rate
factor of 14, and of 18 and 23 as other services do. Shows the bytes of the picture in parts of what the source has for
the same pixels, its structural similarity to the source, and the processor time.

  --folder DIR  your own files instead of the clips that are made
`

/** Of the bytes that the source has for the same pixels; the likeness that has to be kept with them. */
const limits = { share: 1.1, likeness: 0.97 } as const
/** A source of a newer codec may take more. */
const newerShare = 1.6

const clips: Readonly<Record<string, readonly string[]>> = {
  'web, low rate': ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '28'],
  'web, usual rate': ['-c:v', 'libx264', '-preset', 'fast', '-crf', '23'],
  phone: ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '6M'],
  'phone, HEVC': [
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-crf',
    '26',
    '-x265-params',
    'log-level=none',
  ],
  'camera original': ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '8'],
}

type Tried = { readonly bytes: number; readonly likeness: number; readonly seconds: number }

/** Ends with 0 when every result keeps the limits, 1 when one does not, 130 when stopped. */
export async function runSizes(args: readonly string[], stop: AbortSignal): Promise<number> {
  const { folder: own } = readOptions(args, { folder: { type: 'string' } }, sizesHelp)
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'spool-bench-')))
  const tools = toolsIn(folder, stop, { threads: availableParallelism() })
  try {
    say(`${describeMachine()}\n`)
    say(
      `${'source'.padEnd(24)} ${['in budget', 'factor 14', 'factor 18', 'factor 23'].map((way) => way.padStart(22)).join('')}`,
    )
    const names = own === undefined ? await makeClips(tools) : await copyFiles(own, folder)
    const kept: boolean[] = []
    for (const [name, file] of names) kept.push(await compareWays(tools, name, file))
    const isKept = kept.every(Boolean)
    say(
      `\n${isKept ? 'ok' : `above ${limits.share} of the source, or less than ${limits.likeness} like it`}`,
    )
    return isKept ? 0 : 1
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function makeClips(tools: ToolContext): Promise<[string, string][]> {
  const made: [string, string][] = []
  for (const [i, [name, coding]] of Object.entries(clips).entries()) {
    const file = `source${i}.mp4`
    const picture = 'testsrc2=s=854x480:r=30,gblur=sigma=1,noise=alls=4:allf=t'
    await ffmpeg(tools, [
      '-f',
      'lavfi',
      '-i',
      picture,
      '-t',
      '20',
      '-pix_fmt',
      'yuv420p',
      ...coding,
      file,
    ])
    made.push([name, file])
  }
  return made
}

async function copyFiles(from: string, folder: string): Promise<[string, string][]> {
  const names = await readdir(from)
  return Promise.all(
    names.map(async (name, i): Promise<[string, string]> => {
      await copyFile(path.join(from, name), path.join(folder, `source${i}`))
      return [name, `source${i}`]
    }),
  )
}

async function compareWays(tools: ToolContext, name: string, file: string): Promise<boolean> {
  const facts = await measureMedia(tools, { path: file, field: name, maxSeconds: 3_600 })
  const clip = openClip(file, facts, {})
  const { budget, width, height } = planOf(tools, clip)
  if (!budget) throw new Error(`${name}: nothing is encoded`)
  const { video } = facts
  const seen = (await measureBytes(tools, file, facts))(Number.POSITIVE_INFINITY)
  const allowed = seen * Math.min(1, (width * height) / (video.width * video.height))
  const wanted = {
    clips: [clip],
    budget,
    asked: 100,
    format: 'mp4',
    durationSeconds: facts.durationSeconds,
  } as const
  const ours = await timed(tools, { clip, name: 'ours.mp4' }, async () =>
    renderInBudget({ tools, log: () => undefined }, wanted, async (quality, watch) =>
      encode(tools, planOf(tools, clip, quality), 'ours.mp4', watch),
    ),
  )
  const others = []
  for (const factor of [14, 18, 23]) {
    const quality = 100 - ((factor - 14) * 99) / 30
    const at = { clip, name: `factor${factor}.mp4` }
    others.push(
      await timed(tools, at, async () => encode(tools, planOf(tools, clip, quality), at.name)),
    )
  }
  const cells = [ours, ...others].map(({ bytes, likeness, seconds }) =>
    `${(bytes / allowed).toFixed(2)} ${likeness.toFixed(3)} ${seconds.toFixed(1)} s`.padStart(22),
  )
  say(`${name.padEnd(24)} ${cells.join('')}`)
  const most = limits.share * (['hevc', 'vp9', 'av1'].includes(video.codec) ? newerShare : 1)
  return ours.bytes <= allowed * most && ours.likeness >= limits.likeness
}

function planOf(tools: ToolContext, clip: Clip, pictureQuality?: number): RenderPlan {
  const options = optionsSchema.parse({ aspectRatio: '1:1' })
  return planClips([clip], options, { ...capsOf(tools), pictureQuality })
}

async function encode(
  tools: ToolContext,
  plan: RenderPlan,
  name: string,
  watch?: Parameters<Parameters<typeof renderInBudget>[2]>[1],
) {
  const stop = new AbortController()
  const signal = AbortSignal.any([tools.signal, stop.signal])
  let stoppedAt: ReturnType<NonNullable<typeof watch>>
  try {
    await runFfmpeg({ ...tools, signal }, compilePlan(plan, name, capsOf(tools)), (progress) => {
      stoppedAt = watch?.(progress)
      if (stoppedAt) stop.abort()
    })
  } catch (error) {
    if (!stoppedAt) throw error
    return { stoppedAt }
  }
  const { size } = await stat(path.join(tools.folder, name))
  return { result: name, pictureBytes: size }
}

async function timed(
  tools: ToolContext,
  { clip, name }: { clip: Clip; name: string },
  work: () => Promise<unknown>,
): Promise<Tried> {
  const before = childSeconds() ?? 0
  await work()
  const seconds = (childSeconds() ?? 0) - before
  const lossless = 'lossless.mkv'
  const { tracks, ...plan } = planOf(tools, clip)
  const exact = tracks.map((track) => ({
    ...track,
    coding: ['-c:v', 'ffv1', '-pix_fmt', 'yuv420p'],
  }))
  const { args, files } = compilePlan(
    { ...plan, format: 'mp4', tracks: exact },
    lossless,
    capsOf(tools),
  )
  if (files.length > 0) throw new Error('A crop needs no files')
  await readTool(
    tools,
    'ffmpeg',
    args.map((arg) => (arg === 'mp4' ? 'matroska' : arg)),
  )
  const { stdout } = await readTool(tools, 'ffmpeg', [
    ...['-v', 'error', '-i', name, '-i', lossless],
    ...[
      '-lavfi',
      '[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]ssim=stats_file=-',
    ],
    ...['-f', 'null', '-'],
  ])
  const found = [...stdout.matchAll(/ Y:(\S+)/g)].map(([, value]) => Number(value))
  const likeness = found.reduce((sum, value) => sum + value, 0) / found.length
  return { bytes: (await stat(path.join(tools.folder, name))).size, likeness, seconds }
}

async function ffmpeg(tools: ToolContext, args: readonly string[]): Promise<void> {
  const { exitCode, stderrTail } = await readTool(tools, 'ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-y',
    ...args,
  ])
  if (exitCode !== 0) throw new Error(`ffmpeg ${args.join(' ')}\n${stderrTail}`)
}

function capsOf({ threads, maxPixels }: ToolContext) {
  return { threads, maxPixels, maxOutputBytes: 1e9 }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
