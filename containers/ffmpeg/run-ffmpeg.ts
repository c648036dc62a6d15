import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { JobError } from '../errors/job-error.ts'
import type { CompiledCommand } from '../graph/compile-args.ts'
import { progressReader, type FfmpegProgress } from './read-progress.ts'
import { runTool, type ToolContext } from './run-tool.ts'

/** The warnings of a run that succeeded. */
export type FfmpegRun = { readonly stderrTail: string }

/** Writes the files that the command needs, runs it, and throws unless ffmpeg succeeded. */
export async function runFfmpeg(
  context: ToolContext,
  command: CompiledCommand,
  onProgress: (progress: FfmpegProgress) => void,
): Promise<FfmpegRun> {
  for (const file of command.files) {
    await writeFile(path.join(context.folder, file.path), file.text)
  }
  const reader = progressReader(context.limits.stallMs, onProgress)
  const run = await runTool(context, 'ffmpeg', command.args, reader)
  if (run.exitCode === 0) return { stderrTail: run.stderrTail }
  const isDiskFull = run.stderrTail.includes('No space left on device')
  if (isDiskFull) {
    throw new JobError('out_of_resources', 'The media worker ran out of disk space.', {
      retryable: true,
      cause: new Error(run.stderrTail),
    })
  }
  throw new JobError('source_undecodable', 'The video could not be processed; it may be damaged.', {
    cause: new Error(`ffmpeg ended with ${run.exitCode}: ${run.stderrTail}`),
  })
}
