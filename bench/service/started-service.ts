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

const logLine = z.looseObject({ event: z.string(), status: z.number().optional() })

const patienceMs = 180_000

/** The whole service as `npm start` runs it, on its own port and in its own folder. */
export class StartedService {
  readonly #dev: DevFile
  readonly #folder: string
  readonly #child: ChildProcess

  private constructor(dev: DevFile, folder: string, child: ChildProcess) {
    this.#dev = dev
    this.#folder = folder
    this.#child = child
  }

  static async start(
    folder: string,
    settings: Readonly<Record<string, string>>,
    stop: AbortSignal,
  ): Promise<StartedService> {
    const [port] = await freePorts(1)
    const log = openSync(path.join(folder, 'start.log'), 'a')
    const child = spawn('npm', ['start'], {
      cwd: root,
      env: { ...process.env, PORT: String(port), SPOOL_DATA_DIR: folder, ...settings },
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    const end = () => child.pid !== undefined && sendSignal(-child.pid, 'SIGTERM')
    process.on('exit', end)
    child.once('exit', () => process.off('exit', end))
    try {
      return new StartedService(await announced(child, folder, stop), folder, child)
    } catch (error) {
      end()
      throw error
    }
  }

  /** Of the process that has started all others. */
  get pid(): number {
    return this.#child.pid ?? 0
  }

  async request(pathname: string, body?: unknown): Promise<Response> {
    const { baseUrl, apiKey } = this.#dev
    return fetch(baseUrl + pathname, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        Authorization: `Bearer ${apiKey}`,
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
  workerLog(): z.infer<typeof logLine>[] {
    const file = path.join(dataDirectory(this.#folder).logs, 'worker.log')
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines.flatMap((line) => (line === '' ? [] : [logLine.parse(JSON.parse(line))]))
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const ended = once(this.#child, 'exit')
    sendSignal(-this.pid, 'SIGTERM')
    await ended
  }
}

/** `dev.json` is written when the service is healthy, and is absent while none runs. */
async function announced(child: ChildProcess, folder: string, stop: AbortSignal): Promise<DevFile> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const dev = readDevFile(dataDirectory(folder).devFile)
    if (dev) return dev
    if (child.exitCode !== null || Date.now() > deadline) {
      const said = readFileSync(path.join(folder, 'start.log'), 'utf8').trim()
      throw new StopWithMessage(`The service did not start:\n\n${said}`)
    }
    await delay(10, undefined, { signal: stop })
  }
}
