import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../machine/checkout.ts'
import { freePorts } from '../machine/ports.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'
import { dataDirectory } from '../start/data/data-directory.ts'

type DevFile = { baseUrl: string; apiKey: string }

/** Settings of the caller that would make it another service than the one of a laptop. */
const leftOut = { BASE_URL: '', HOST: '', RATE_LIMITS: '' }

/** A service for as long as the demo takes: all of it, on a free port, with its own data. */
export class OwnService {
  readonly #folder: string
  readonly #process: ChildProcess
  readonly baseUrl: string
  readonly apiKey: string

  private constructor(folder: string, started: ChildProcess, { baseUrl, apiKey }: DevFile) {
    this.#folder = folder
    this.#process = started
    this.baseUrl = baseUrl
    this.apiKey = apiKey
  }

  static async start(stop: AbortSignal): Promise<OwnService> {
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-demo-'))
    const [port] = await freePorts(1)
    const env = { ...process.env, ...leftOut, PORT: String(port), SPOOL_DATA_DIR: folder }
    // A group of its own: Ctrl-C at the terminal reaches only the demo, which then stops the service once.
    const started = spawn(process.execPath, [path.join(root, 'scripts/start.ts')], {
      ...{ cwd: root, env, detached: true },
      // The channel tells the service when this process is gone.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const end = () => started.kill('SIGINT')
    stop.addEventListener('abort', end, { once: true })
    try {
      await untilReady(started)
      const dev = await readFile(dataDirectory(folder).devFile, 'utf8')
      return new OwnService(folder, started, JSON.parse(dev) as DevFile)
    } catch (error) {
      await endOf(started)
      await rm(folder, { recursive: true, force: true })
      throw error
    } finally {
      stop.removeEventListener('abort', end)
    }
  }

  async stop(): Promise<void> {
    await endOf(this.#process)
    await rm(this.#folder, { recursive: true, force: true })
  }
}

async function untilReady(started: ChildProcess): Promise<void> {
  const said: string[] = []
  const ready = Promise.withResolvers<undefined>()
  for (const stream of [started.stdout, started.stderr]) {
    if (!stream) continue
    createInterface(stream).on('line', (line) => {
      said.push(line)
      if (line.includes('Stop with Ctrl-C')) ready.resolve(undefined)
    })
  }
  started.once('exit', () => {
    ready.reject(new StopWithMessage(`The service did not start:\n${said.slice(-20).join('\n')}`))
  })
  await ready.promise
}

async function endOf(started: ChildProcess): Promise<void> {
  if (started.exitCode !== null || started.signalCode !== null) return
  const ended = once(started, 'exit')
  started.kill('SIGINT')
  await ended
}
