import type { AttemptTrace } from '../../../worker/contract/job/report.ts'
import type { Confinement } from '../../confine/confinement.ts'
import { JobError } from '../../errors/job-error.ts'
import { runProcess, type ProcessLimits, type ProcessResult } from './run-process.ts'

export type CommandTrace = AttemptTrace['commands'][number]

/** Shared by all runs of ffmpeg and ffprobe of a job. */
export type ToolContext = {
  readonly folder: string
  readonly signal: AbortSignal
  readonly confinement: Confinement
  readonly limits: ProcessLimits & {
    readonly stallMs: number
    /** The longest time for one program, even a busy one, without the time for which it waits for the reader of its bytes. */
    readonly wallMs: number
  }
  readonly threads: number
  readonly maxPixels: number
  /** Whether its programs end soon. */
  readonly isBrief?: boolean
  onCommand(command: CommandTrace): void
}

export type ToolRun = { exitCode: number; stderrTail: string }

/** How ffmpeg exits that was asked to end by SIGTERM or SIGINT: fftools/ffmpeg.c, received_nb_signals. */
const askedToEnd = 255

/** A long filter graph would fill the trace. */
const maxTracedArgChars = 4_000

/**
 * Runs a program in the job folder and records it. Returns the exit code for the caller to judge; throws on every other
 * end (stopped, stalled, out of memory).
 */
export async function runTool(
  tools: ToolContext,
  program: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  onStdout: (chunk: string) => boolean,
  onBytes?: (bytes: Buffer) => Promise<void>,
): Promise<ToolRun> {
  const { folder, confinement, limits, isBrief } = tools
  const stop = stopFor(tools, program)
  const signal = AbortSignal.any([tools.signal, stop.signal])
  const watched = (chunk: string): boolean => stop.unlessThrown(() => onStdout(chunk))
  const taken =
    onBytes &&
    (async (bytes: Buffer) => stop.without(async () => onBytes(bytes).catch(stop.because)))
  const reading = { onStdout: watched, onBytes: taken }
  const request = { program, args, cwd: folder, confinement, signal, limits, isBrief, ...reading }
  const result = await runProcess(request)
  stop.clear()
  tools.onCommand({
    program,
    args: args.map((arg, i) => (args[i - 1] === '-codec_whitelist' ? '…' : shorten(arg, folder))),
    durationMs: Math.round(result.durationMs),
    exitCode: result.exitCode,
  })
  // Throw even if the program had ended by itself before it could be stopped.
  if (stop.signal.aborted) throw stop.signal.reason
  if (result.termination !== undefined) throw terminationError(result, { signal, limits })
  if (result.exitCode === null || (program === 'ffmpeg' && result.exitCode === askedToEnd)) {
    // This signal was not sent on purpose: the kernel ends processes if memory is short, and whatever stops the machine ends all.
    throw new JobError('out_of_resources', 'The media worker ran out of resources.', {
      retryable: true,
      cause: new Error(`${program} was ended by ${result.signal ?? 'a signal'}`),
    })
  }
  return { exitCode: result.exitCode, stderrTail: result.stderrTail }
}

/** Ends a program that runs too long, or that writes more than its reader accepts. */
function stopFor({ limits: { wallMs } }: ToolContext, program: string) {
  const controller = new AbortController()
  let leftMs = wallMs
  let begunMs = 0
  let timer: NodeJS.Timeout | undefined
  const count = (): void => {
    begunMs = performance.now()
    timer = setTimeout(() => controller.abort(tookTooLong(program, wallMs)), leftMs)
  }
  count()
  return {
    signal: controller.signal,
    clear: () => clearTimeout(timer),
    /** Does not count the time that the reader of a program takes, which may wait for a model that other jobs use too. */
    async without(work: () => Promise<void>): Promise<void> {
      clearTimeout(timer)
      leftMs -= performance.now() - begunMs
      await work()
      count()
    },
    because: (reason: unknown) => controller.abort(reason),
    unlessThrown(work: () => boolean): boolean {
      if (controller.signal.aborted) return false
      try {
        return work()
      } catch (error) {
        controller.abort(error)
        return false
      }
    },
  }
}

/** Not retryable: another attempt would take as long. */
function tookTooLong(program: string, wallMs: number): JobError {
  const seconds = Math.round(wallMs / 1000)
  return new JobError(
    'out_of_time',
    `Processing took too long: one step of it (${program}) was ended after ${seconds} seconds.`,
  )
}

function shorten(arg: string, folder: string): string {
  const plain = arg.replaceAll(`${folder}/`, '')
  return plain.length > maxTracedArgChars ? `${plain.slice(0, maxTracedArgChars)}…` : plain
}

function terminationError(
  result: ProcessResult,
  { signal, limits }: Pick<ToolContext, 'signal' | 'limits'>,
): unknown {
  const cause = new Error(result.stderrTail)
  switch (result.termination) {
    case 'stalled':
      return new JobError(
        'out_of_time',
        `Processing made no progress for ${limits.stallMs / 1000} seconds.`,
        { retryable: true, cause },
      )
    case 'out_of_memory':
      return new JobError(
        'out_of_resources',
        `Processing this video needs more than ${limits.memoryBytes.toLocaleString('en')} bytes of memory.`,
        { cause },
      )
    case 'aborted':
    case undefined:
      return signal.reason
  }
}

/** Runs a program and returns its output. */
export async function readTool(
  tools: ToolContext,
  program: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  maxChars = 4_000_000,
): Promise<ToolRun & { stdout: string }> {
  const chunks: string[] = []
  let chars = 0
  const run = await runTool(tools, program, args, (chunk) => {
    chars += chunk.length
    if (chars <= maxChars) chunks.push(chunk)
    return true
  })
  return { ...run, stdout: chunks.join('') }
}
