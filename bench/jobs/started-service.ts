import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { root } from '../../scripts/machine/checkout.ts'
import { sendSignal } from '../../scripts/machine/kill-group.ts'
import { freePorts } from '../../scripts/machine/ports.ts'
import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { dataDirectory } from '../../scripts/start/data/data-directory.ts'
import { readDevFile, type DevFile } from '../../scripts/start/dev-file.ts'
import { cpuOfParts, type CpuOfParts } from './cpu-of-parts.ts'

const logLine = z.looseObject({ event: z.string(), status: z.number().optional() })
export type LogLine = z.infer<typeof logLine>

const patienceMs = 120_000
const pollMs = 100

/** High enough that no request of a run is refused. */
const rateLimits = '900000000/60,900000000/3600'

/** Runs the whole service with the script behind `npm start`, on its own port and in its own folder. */
export class StartedService {
  readonly dev: DevFile
  readonly #folder: string
  readonly #child: ChildProcess

  private constructor(dev: DevFile, folder: string, child: ChildProcess) {
    this.dev = dev
    this.#folder = folder
    this.#child = child
  }

  static async start(folder: string, stop: AbortSignal): Promise<StartedService> {
    const [port] = await freePorts(1)
    const settings = { PORT: String(port), SPOOL_DATA_DIR: folder, RATE_LIMITS: rateLimits }
    const output = path.join(folder, 'start.log')
    const log = openSync(output, 'a')
    const child = spawn(process.execPath, [path.join(root, 'scripts/start.ts')], {
      env: { ...process.env, ...settings, MEDIA_WORKERS: '1' },
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    // The service stops its parts itself, even if this process ends suddenly.
    const end = () => child.pid !== undefined && sendSignal(child.pid, 'SIGTERM')
    process.on('exit', end)
    child.once('exit', () => process.off('exit', end))
    try {
      return new StartedService(await announced(child, folder, stop), folder, child)
    } catch (error) {
      end()
      throw error
    }
  }

  async request(pathname: string, body?: unknown): Promise<Response> {
    return fetch(this.dev.baseUrl + pathname, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        Authorization: `Bearer ${this.dev.apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
    })
  }

  /** The answer to a GET, which must succeed. */
  async read(pathname: string): Promise<unknown> {
    const response = await this.request(pathname)
    const text = await response.text()
    if (!response.ok) throw new Error(`${pathname} answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }

  /** All lines that the Worker has logged so far. */
  workerLog(): LogLine[] {
    const file = path.join(dataDirectory(this.#folder).logs, 'worker.log')
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.flatMap((line) => (line === '' ? [] : [logLine.parse(JSON.parse(line))]))
  }

  /** Processor time so far; undefined if the system does not tell. */
  cpuSeconds(): CpuOfParts | undefined {
    const { pid: supervisor, workerPid: worker, mediaWorkers } = this.dev
    return cpuOfParts({ supervisor, worker, mediaWorkers: mediaWorkers.map(({ pid }) => pid) })
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.pid === undefined) return
    const ended = once(this.#child, 'exit')
    sendSignal(this.#child.pid, 'SIGTERM')
    await ended
  }
}

/** `dev.json` is written when the service is healthy. */
async function announced(child: ChildProcess, folder: string, stop: AbortSignal): Promise<DevFile> {
  const deadline = Date.now() + patienceMs
  while (!stop.aborted) {
    const dev = readDevFile(dataDirectory(folder).devFile)
    if (dev) return dev
    if (child.exitCode !== null || Date.now() > deadline) {
      const said = readFileSync(path.join(folder, 'start.log'), 'utf8').trim()
      throw new StopWithMessage(`The service did not start:\n\n${said}`)
    }
    await delay(pollMs, undefined, { signal: stop }).catch(() => undefined)
  }
  throw stop.reason
}
