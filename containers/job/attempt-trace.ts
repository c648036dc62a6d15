import type { AttemptTrace } from '../../worker/contract/report.ts'
import type { TimedWork } from '../../worker/contract/video-state.ts'
import type { CommandTrace } from '../ffmpeg/run-tool.ts'

/** Collects what an attempt did, to be sent with its last report. */
export type TraceRecorder = {
  /** Times one phase, or what is done beside it, also when it fails. */
  phase<Result>(name: TimedWork, work: () => Promise<Result>): Promise<Result>
  command(command: CommandTrace): void
  plan(plan: AttemptTrace['plan']): void
  finish(): AttemptTrace
}

/**
 * A report has to stay small: the Worker takes 2 MB of it, and a plan with thousands of cuts is a third of that. A
 * combined video runs some four commands a clip.
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
    finish: () => ({ ...structuredClone(trace), phases: inOrder(trace.phases) }),
  }
}

/** As they began: what runs beside the phases ends at any time. */
function inOrder(phases: AttemptTrace['phases']): AttemptTrace['phases'] {
  return [...phases].sort((a, b) => a.startedAt.localeCompare(b.startedAt))
}
