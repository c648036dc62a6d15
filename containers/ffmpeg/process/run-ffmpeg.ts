import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { JobError, ranOutOfDisk } from '../../errors/job-error.ts'
import { compileArgs, type CompiledCommand, type MadeFiles } from '../../graph/compile-args.ts'
import { progressReader, type FfmpegProgress } from './read-progress.ts'
import { runTool, type ToolContext, type ToolRun } from './run-tool.ts'

/** The warnings of a run that succeeded. */
type FfmpegRun = { readonly stderrTail: string }

/** Makes files with the threads and the limits of a job. */
export async function runGraph(
  tools: ToolContext,
  made: MadeFiles,
  onProgress?: (progress: FfmpegProgress) => void,
): Promise<FfmpegRun> {
  const { threads, maxPixels } = tools
  return runFfmpeg(tools, compileArgs({ ...made, threads, maxPixels }), onProgress)
}

/** Writes the files that the command needs, runs it, and throws unless ffmpeg succeeded. */
export async function runFfmpeg(
  tools: ToolContext,
  { args, files = [] }: Pick<CompiledCommand, 'args'> & Partial<CompiledCommand>,
  onProgress: (progress: FfmpegProgress) => void = () => undefined,
): Promise<FfmpegRun> {
  for (const file of files) await writeFile(path.join(tools.folder, file.path), file.text)
  const reader = progressReader(tools.limits.stallMs, onProgress)
  const run = await runTool(tools, 'ffmpeg', args, reader)
  // ffmpeg succeeds although it could not write the end of a file: fftools/ffmpeg.c, av_write_trailer.
  if (/No space left on device|Disk quota exceeded/.test(run.stderrTail)) {
    throw ranOutOfDisk(new Error(run.stderrTail))
  }
  refuseFailed(run)
  return { stderrTail: run.stderrTail }
}

/** Throws unless ffmpeg succeeded. */
export function refuseFailed({ exitCode, stderrTail }: ToolRun): void {
  if (exitCode === 0) return
  throw new JobError('source_undecodable', 'The video could not be processed; it may be damaged.', {
    cause: new Error(`ffmpeg ended with ${exitCode}: ${stderrTail}`),
  })
}
