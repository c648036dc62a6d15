import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { runFfmpeg } from '../../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { compileArgs } from '../../../../containers/graph/compile-args.ts'
import type { Stream } from '../../../../containers/graph/filter-graph.ts'
import { readFileTables } from '../../../../containers/parts/window/file-tables.ts'
import { timesOfPictures } from '../../../../containers/parts/window/times-of.ts'
import { windowGlobals, windowOf } from '../../../../containers/parts/window/window-of.ts'
import type { RenderPlan } from '../../../../containers/render/plan-render.ts'
import type { RenderedVideo } from './render-video.ts'
import type { TestTools } from '../tool-context.ts'

/** One line for each picture before it is encoded: its time in ticks, and its hash. */
type HashedPictures = readonly string[]

type Film = Pick<RenderedVideo, 'plan' | 'tools'>

function pictureOf(plan: RenderPlan): Stream<'video'> {
  const stream = plan.tracks.map((track) => track.stream).find(({ kind }) => kind === 'video')
  if (!stream) throw new Error('A film without a picture')
  return stream as Stream<'video'>
}

/** Hashes the pictures of a film before they are encoded, made as a whole. */
export async function hashWhole({ plan, tools }: Film): Promise<HashedPictures> {
  return hash({ plan, tools }, pictureOf(plan), [])
}

/** The same of windows that begin with these pictures. */
export async function hashWindows(
  { plan, tools }: Film,
  starts: readonly number[],
): Promise<HashedPictures> {
  const stream = pictureOf(plan)
  const tables = await readFileTables(tools, stream)
  const times = timesOfPictures(tables)(stream)
  if (!times) throw new Error('Nobody knows when the pictures of the film are shown')
  const between = (n: number): number =>
    n === 0 ? Number.NEGATIVE_INFINITY : (times.at(n - 1) + 3 * times.at(n)) / 4
  const lines: string[] = []
  for (const [i, start] of starts.entries()) {
    const next = starts[i + 1]
    const to = next === undefined ? Number.POSITIVE_INFINITY : between(next)
    const made = windowOf(stream, { from: between(start), to }, tables)
    lines.push(...(await hash({ plan, tools }, made, windowGlobals)))
  }
  return lines
}

async function hash(
  { plan, tools }: { plan: RenderPlan; tools: TestTools },
  stream: Stream<'video'>,
  timing: readonly string[],
): Promise<string[]> {
  const own = ['-fps_mode:v', 'vfr', '-enc_time_base:v', '1:90000']
  const coding = ['-c:v', 'rawvideo', '-pix_fmt', 'yuv420p', ...(plan.hasConstantRate ? [] : own)]
  const { threads, maxPixels } = tools
  const output = { tracks: [{ stream, coding }], muxing: ['-f', 'framemd5'], path: 'pictures.md5' }
  await runFfmpeg(tools, compileArgs({ ...output, threads, maxPixels, timing }), () => undefined)
  const text = await readFile(path.join(tools.folder, 'pictures.md5'), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, , ticks, , , md5] = line.split(',').map((column) => column.trim())
      return `${ticks} ${md5}`
    })
}
