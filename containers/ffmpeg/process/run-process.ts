import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'
import { confine, whyNotStarted, type Confinement } from '../../confine/confinement.ts'
import { briefProgramEnvironment, programEnvironment } from '../../confine/program-environment.ts'
import { killGroup, residentBytesOf } from './process-group.ts'
import { textTail } from './text-tail.ts'

export type ProcessLimits = {
  /** The longest time without a sign of life from `onStdout`; unlimited if absent. */
  stallMs?: number
  memoryBytes: number
  memoryPollMs?: number
}

export type ProcessRequest = {
  program: string
  args: readonly string[]
  /** The job folder: paths of media files are relative to it, and the process can write nowhere else. */
  cwd: string
  confinement: Confinement
  signal: AbortSignal
  limits: ProcessLimits
  /** Whether it ends soon, so that fast memory matters more than how much it keeps. */
  isBrief?: boolean | undefined
  /** Sees every chunk of stdout; returning true counts as a sign of life. */
  onStdout: (chunk: string) => boolean
  /** Takes stdout as bytes instead. The program waits while this works, so that nothing piles up. */
  onBytes?: ((bytes: Buffer) => Promise<void>) | undefined
}

/** Why the process was ended, if it did not end by itself. */
type Termination = 'aborted' | 'stalled' | 'out_of_memory'

export type ProcessResult = {
  exitCode: number | null
  signal: NodeJS.Signals | null
  termination: Termination | undefined
  stderrTail: string
  durationMs: number
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const stderrTailChars = 8_192

/** Runs one program in its own process group, watches it, and kills the whole group at the end. */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const startedAt = performance.now()
  if (request.signal.aborted) {
    return { exitCode: null, signal: null, termination: 'aborted', stderrTail: '', durationMs: 0 }
  }
  const { program, args } = confine(request.confinement, request.cwd, request)
  const child = spawn(program, [...args], {
    cwd: request.cwd,
    detached: true,
    env: request.isBrief ? briefProgramEnvironment : programEnvironment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stderr = textTail(stderrTailChars)
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => stderr.add(chunk))
  const watch = watchProcess(child, request)
  try {
    const end = await ended(child)
    await watch.taken()
    const durationMs = performance.now() - startedAt
    const refusal = whyNotStarted(end.exitCode, stderr.text())
    if (refusal) throw new Error(`${request.program} was not started: ${refusal}`)
    return { ...end, termination: watch.termination(), stderrTail: stderr.text(), durationMs }
  } finally {
    watch.stop()
    if (child.pid !== undefined) killGroup(child.pid)
  }
}

async function ended(child: Child): Promise<Pick<ProcessResult, 'exitCode' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode, signal) => resolve({ exitCode, signal }))
  })
}

/** Watches for abort, silence and memory. The first of them to end the process is the reason that is reported. */
function watchProcess(child: Child, { signal, limits, onStdout, onBytes }: ProcessRequest) {
  let termination: Termination | undefined
  let stall: NodeJS.Timeout | undefined
  let taking = Promise.resolve()
  const end = (reason: Termination): void => {
    if (termination !== undefined || child.pid === undefined) return
    termination = reason
    // Its output is not wanted any more, and a program that is busy with a file does not react to softer signals.
    killGroup(child.pid)
  }
  const sawLife = (): void => {
    if (limits.stallMs === undefined) return
    clearTimeout(stall)
    stall = setTimeout(() => end('stalled'), limits.stallMs)
  }
  if (onBytes) {
    child.stdout.on('data', (bytes: Buffer) => {
      child.stdout.pause()
      // After the program has ended, Node reads on in spite of the pause.
      taking = taking.then(async () => {
        await onBytes(bytes)
        sawLife()
        child.stdout.resume()
      })
    })
  } else {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (onStdout(chunk)) sawLife()
    })
  }
  const abort = (): void => end('aborted')
  signal.addEventListener('abort', abort, { once: true })
  const memory = setInterval(() => {
    if (child.pid === undefined || termination !== undefined) return
    if (residentBytesOf(child.pid) > limits.memoryBytes) end('out_of_memory')
  }, limits.memoryPollMs ?? 1_000)
  sawLife()
  return {
    termination: () => termination,
    taken: async () => taking,
    stop() {
      signal.removeEventListener('abort', abort)
      clearInterval(memory)
      clearTimeout(stall)
    },
  }
}
