import type { AttemptTrace } from '../../../worker/contract/job/report.ts'
import type { TimedWork } from '../../../worker/contract/video/video-state.ts'
import type { CommandTrace } from '../../ffmpeg/process/run-tool.ts'

/** Records what an attempt did; its last report sends it. */
export type TraceRecorder = {
  /** Measures the time of a phase, or of work beside the phases, even if it fails. */
  phase<Result>(name: TimedWork, work: () => Promise<Result>): Promise<Result>
  command(command: CommandTrace): void
  plan(plan: AttemptTrace['plan']): void
  /** Adds processor time. */
  processor(ms: number): void
  finish(): AttemptTrace
}

/**
 * A report must stay small: the Worker accepts 2 MB, and a plan with thousands of cuts takes a third of that. A
 * combined video runs about four commands per clip.
 */
const maxCommands = 250
const maxCommandsChars = 800_000

export function recordTrace(now: () => number = () => Date.now()): TraceRecorder {
  const trace: AttemptTrace = { phases: [], commands: [] }
  let commandsChars = 0
  return {
    async phase(name, work) {
      const startedAt = now()
      try {
        return await work()
      } finally {
        const durationMs = Math.max(0, now() - startedAt)
        trace.phases.push({ name, startedAt: new Date(startedAt).toISOString(), durationMs })
      }
    },
    command(command) {
      commandsChars += JSON.stringify(command).length
      const hasRoom = trace.commands.length < maxCommands && commandsChars <= maxCommandsChars
      if (hasRoom) trace.commands.push(command)
    },
    plan(plan) {
      trace.plan = plan
    },
    processor(ms) {
      trace.processorMs = (trace.processorMs ?? 0) + ms
    },
    finish() {
      // Sorted by start, because work beside the phases may end at any time.
      const phases = trace.phases.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt))
      return { ...structuredClone(trace), phases }
    },
  }
}
