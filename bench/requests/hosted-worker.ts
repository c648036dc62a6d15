import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { killGroup, sendSignal } from '../../scripts/machine/kill-group.ts'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { cpuSecondsOf } from './cpu-time.ts'

export type HostedWorkerPlan = {
  name: string
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  logFile: string
}

const patienceMs = 60_000
const pollMs = 100

/**
 * One Worker and its runtime, in their own process group. They write to a file directly: reading their lines here would
 * take time from the benchmark's client, and more for the side that logs more.
 */
export class HostedWorker {
  readonly baseUrl: string
  readonly #plan: HostedWorkerPlan
  readonly #child: ChildProcess

  constructor(plan: HostedWorkerPlan, port: number) {
    this.baseUrl = `http://127.0.0.1:${port}`
    this.#plan = plan
    const log = openSync(plan.logFile, 'a')
    this.#child = spawn(plan.command, plan.args, {
      cwd: plan.cwd,
      env: plan.env,
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
  }

  /** Waits until the path is answered at all, which means that the runtime is up and the Worker is loaded. */
  async ready(path: string, stop: AbortSignal): Promise<void> {
    const deadline = Date.now() + patienceMs
    while (!stop.aborted) {
      if (await this.#answers(path)) return
      if (this.#child.exitCode !== null || Date.now() > deadline) throw this.#neverReady()
      await delay(pollMs, undefined, { signal: stop }).catch(() => undefined)
    }
    stop.throwIfAborted()
  }

  async #answers(path: string): Promise<boolean> {
    try {
      const response = await fetch(this.baseUrl + path, { signal: AbortSignal.timeout(5000) })
      await response.body?.cancel()
      return response.status < 500
    } catch {
      return false
    }
  }

  #neverReady(): StopWithMessage {
    const lines = readFileSync(this.#plan.logFile, 'utf8').trim().split('\n').slice(-20)
    return new StopWithMessage(`${this.#plan.name} did not start:\n\n${lines.join('\n')}`)
  }

  /** The process group of the runtime and its host. */
  get group(): number {
    return this.#child.pid ?? 0
  }

  /** Processor time of the runtime and its host together. */
  cpuSeconds(): number | undefined {
    return this.#child.pid === undefined ? undefined : cpuSecondsOf(this.#child.pid)
  }

  async stop(): Promise<void> {
    if (this.#child.pid !== undefined) await killGroup(this.#child.pid)
  }

  /** Ends the processes synchronously, for a sudden exit. */
  killNow(): void {
    if (this.#child.pid !== undefined) sendSignal(-this.#child.pid, 'SIGKILL')
  }
}
