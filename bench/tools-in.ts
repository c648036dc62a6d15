import { unconfined } from '../containers/confine/confinement.ts'
import type { ToolContext } from '../containers/ffmpeg/process/run-tool.ts'

/** How ffmpeg runs here: without confinement, because a benchmark makes all of its files itself. */
export function toolsIn(
  folder: string,
  signal: AbortSignal,
  settings: Partial<ToolContext> = {},
): ToolContext {
  return {
    folder,
    signal,
    threads: 1,
    maxPixels: 40_000_000,
    limits: { stallMs: 60_000, wallMs: 3_600_000, memoryBytes: 4 * 1024 ** 3 },
    confinement: unconfined,
    onCommand: () => undefined,
    ...settings,
  }
}
