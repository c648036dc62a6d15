import path from 'node:path'
import { copyFile, writeFile } from 'node:fs/promises'
import { runFfmpeg } from '../../../../containers/ffmpeg/process/run-ffmpeg.ts'
import { capsOf, planJob, type Planned } from '../../../../containers/job/plan/plan-job.ts'
import { compilePlan, describePlan } from '../../../../containers/render/plan-render.ts'
import { aToolContext, type TestTools } from '../tool-context.ts'
import { cutHere, type Source } from './job-here.ts'

export type RenderedVideo = Planned & {
  readonly file: string
  readonly described: ReturnType<typeof describePlan>
  readonly tools: TestTools
}

/** Makes a film of sources as a job does, with one encode where something changes, and looks for no better one. */
export async function renderVideo(
  sources: readonly Source[],
  options: Record<string, unknown>,
  elementFiles: readonly string[] = [],
  colors?: string,
): Promise<RenderedVideo> {
  const tools = await aToolContext()
  const files = await layBeside(tools.folder, elementFiles, colors)
  const cut = await cutHere(tools, { sources, options, files })
  const planned = await planJob({ ...cut, copy: undefined })
  const { plan, context } = planned
  const name = `out.${plan.format}`
  await runFfmpeg(tools, compilePlan(plan, name, capsOf(context.settings)), () => undefined)
  const file = path.join(tools.folder, name)
  return { ...planned, file, described: describePlan(plan), tools }
}

/** One file for each element, each in the folder once, and the table of colours. */
async function layBeside(folder: string, files: readonly string[], colors: string | undefined) {
  const named = new Map(files.map((file, i) => [file, `element${i}`]))
  for (const [file, name] of named) await copyFile(file, path.join(folder, name))
  if (colors !== undefined) await writeFile(path.join(folder, 'colors'), colors)
  return {
    elements: files.map((file) => named.get(file)),
    beside: new Map(colors === undefined ? [] : [['color.lutUrl', 'colors']]),
  }
}
