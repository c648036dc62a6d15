import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { withinMs } from '../../../worker/contract/within-ms.ts'
import { killGroup, sendSignal } from '../../machine/kill-group.ts'

/** How one part is run; the same at every restart, so that others continue to find it. */
export type PartPlan = {
  name: string
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** Written to descriptor 3, from which it can be read once; every child could read an environment. */
  secrets?: string
  onLine: (line: string) => void
  /** Who gets the signal to stop. A program that ends its own children in order gets it alone. */
  stops: 'leader' | 'group'
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** Ends programs of a dead part that are not in its process group. */
  sweep?: () => Promise<void>
}

export type PartEvents = {
  started: (part: Part) => void
  died: (part: Part, how: string, restartMs: number) => void
}

/** A program in its own process group that is started again whenever it dies. */
export class Part {
  readonly plan: PartPlan
  readonly #events: PartEvents
  readonly #stopping = new AbortController()
  #child: ChildProcess | undefined
  #bornAtMs = 0
  #kept: Promise<void> | undefined

  constructor(plan: PartPlan, events: PartEvents) {
    this.plan = plan
    this.#events = events
  }

  get name(): string {
    return this.plan.name
  }

  /** The leader of its process group, while it lives. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** When its current or last process was started, by the clock of `performance`. */
  get bornAtMs(): number {
    return this.#bornAtMs
  }

  start(): void {
    this.#kept ??= this.#keepAlive()
    // stop() awaits this; until then a failure must not end the supervisor unnoticed.
    this.#kept.catch(() => undefined)
  }

  /** Asks the process to end, and kills it when the time is over. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping.abort()
    const { pid } = this
    if (pid !== undefined) {
      sendSignal(this.plan.stops === 'group' ? -pid : pid, this.plan.stopSignal)
    }
    const ended = Promise.resolve(this.#kept)
    await withinMs(patienceMs, ended, () => this.killNow())
    await ended
  }

  /** Kills the process, so that it is started again. */
  restart(): void {
    if (this.pid !== undefined) sendSignal(-this.pid, 'SIGKILL')
  }

  /** Kills synchronously, when the supervisor itself exits. */
  killNow(): void {
    this.#stopping.abort()
    this.restart()
  }

  async #keepAlive(): Promise<void> {
    let restartMs: number | undefined
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now()
      const how = await this.#runOnce()
      if (this.#stopping.signal.aborted) return
      restartMs = nextRestartDelay(restartMs, performance.now() - startedAt)
      this.#events.died(this, how, restartMs)
      await delay(restartMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    }
  }

  async #runOnce(): Promise<string> {
    const { command, args, cwd, env, secrets, onLine } = this.plan
    const child = spawn(command, args, {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', ...(secrets === undefined ? [] : (['pipe'] as const))],
    })
    const end = endOf(child)
    if (secrets !== undefined) tell(child, secrets)
    this.#child = child
    this.#bornAtMs = performance.now()
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine)
    }
    if (child.pid !== undefined) this.#events.started(this)
    const how = await end
    if (child.pid !== undefined) await killGroup(child.pid)
    await this.plan.sweep?.()
    this.#child = undefined
    return how
  }
}

function tell(child: ChildProcess, secrets: string): void {
  const [, , , channel] = child.stdio
  if (!(channel instanceof Writable)) throw new Error('There is no descriptor for the secrets')
  // A process that died before it read the secrets is restarted, and gets them again.
  channel.on('error', () => undefined)
  channel.end(secrets)
}

/** Waits for 'exit' instead of 'close': an orphan may hold the pipes open, and is only ended after this. */
async function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code ?? 0}` : `ended by ${signal}`),
    )
  })
}

const firstMs = 200
const longestMs = 5_000
const healthyLifeMs = 10_000

/** How long to wait before a part is restarted; the time doubles while the part keeps dying early. */
export function nextRestartDelay(previousMs: number | undefined, lifetimeMs: number): number {
  if (previousMs === undefined || lifetimeMs >= healthyLifeMs) return firstMs
  return Math.min(previousMs * 2, longestMs)
}
