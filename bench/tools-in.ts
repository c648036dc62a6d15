import { availableParallelism } from 'node:os'
import { unconfined } from '../containers/confine/confinement.ts'
import { readTool, type ToolContext } from '../containers/ffmpeg/process/run-tool.ts'
import type { Run } from './benchmark.ts'

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

/** On all cores. */
export function allCores(run: Run): ToolContext {
  return toolsIn(run, availableParallelism())
}

export async function ffmpeg(tools: ToolContext, args: readonly string[]): Promise<string> {
  const all = ['-nostdin', '-v', 'error', '-y', ...args]
  const { exitCode, stdout, stderrTail } = await readTool(tools, 'ffmpeg', all, 1e8)
  if (exitCode !== 0) throw new Error(`ffmpeg ${args.join(' ')}\n${stderrTail}`)
  return stdout
}
