import { availableParallelism } from 'node:os'
import { unconfined } from '../containers/confine/confinement.ts'
import { measureMedia } from '../containers/ffmpeg/measure-media.ts'
import { runFfmpeg } from '../containers/ffmpeg/process/run-ffmpeg.ts'
import { readTool, type ToolContext } from '../containers/ffmpeg/process/run-tool.ts'
import { compilePlan, type RenderPlan } from '../containers/render/plan-render.ts'
import type { Run } from './benchmark.ts'

/** The limits for a plan and its command. */
export function capsOf({ threads, maxPixels }: ToolContext) {
  return { threads, maxPixels, maxOutputBytes: 1e11 }
}

/** Makes the file of a plan as the media worker does. */
export async function runPlan(tools: ToolContext, plan: RenderPlan, name: string): Promise<void> {
  await runFfmpeg(tools, compilePlan(plan, name, capsOf(tools)), () => undefined)
}

export async function measured(tools: ToolContext, file: string) {
  return measureMedia(tools, { path: file, field: file, maxSeconds: 1e6 })
}

/** How ffmpeg runs here: without confinement, because a benchmark makes all of its files itself. */
export function toolsIn({ folder, stop }: Run, threads = 1): ToolContext {
  return {
    folder,
    signal: stop,
    threads,
    maxPixels: 40_000_000,
    limits: { stallMs: 7_200_000, wallMs: 7_200_000, memoryBytes: 4 * 1024 ** 3 },
    confinement: unconfined,
    onCommand: () => undefined,
  }
}

/** The same tools on all cores. */
export function allCores(run: Run): ToolContext {
  return toolsIn(run, availableParallelism())
}

export async function ffmpeg(tools: ToolContext, args: readonly string[]): Promise<string> {
  const all = ['-nostdin', '-v', 'error', '-y', ...args]
  const { exitCode, stdout, stderrTail } = await readTool(tools, 'ffmpeg', all, 1e8)
  if (exitCode !== 0) throw new Error(`ffmpeg ${args.join(' ')}\n${stderrTail}`)
  return stdout
}
