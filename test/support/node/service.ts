import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { DevFile } from '../../../scripts/start/dev-file.ts'
import { freePort } from './free-port.ts'

const root = path.join(import.meta.dirname, '../../..')

export type Place = { port: number; dataDir: string }

type Launch = { script?: string; args?: string[]; onLine?: (line: string) => void }

/** A free port and an empty data directory; a service may be started there more than once. */
export async function aPlace(): Promise<Place> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'spool-journey-'))
  return { port: await freePort(), dataDir }
}

export async function removePlace(place: Place): Promise<void> {
  await rm(place.dataDir, { recursive: true, force: true })
}

/** The whole service as `npm start` runs it, and a client with its key. */
export class RunningService {
  readonly place: Place
  readonly #process: ChildProcess | undefined
  readonly output: string[]
  dev: DevFile

  /** `started` is absent if somebody else stops the service. */
  constructor(place: Place, started: ChildProcess | undefined, output: string[], dev: DevFile) {
    this.place = place
    this.#process = started
    this.output = output
    this.dev = dev
  }

  /** `script`: the script behind `npm start` or `npm run dev`. `onLine` gets its output. */
  static async start(
    place: Place,
    environment: Record<string, string> = {},
    { script = 'scripts/start.ts', args = [], onLine = () => undefined }: Launch = {},
  ): Promise<RunningService> {
    const started = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        // The test runner sets its own BASE_URL.
        BASE_URL: '',
        PORT: String(place.port),
        SPOOL_DATA_DIR: place.dataDir,
        ...environment,
      },
    })
    const output: string[] = []
    await untilReady(started, output, onLine)
    return new RunningService(place, started, output, await readDevFile(place))
  }

  async request(
    pathAndQuery: string,
    init: RequestInit & { json?: unknown } = {},
  ): Promise<Response> {
    const { json, ...rest } = init
    const headers = new Headers(rest.headers)
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${this.dev.apiKey}`)
    if (json !== undefined) headers.set('Content-Type', 'application/json')
    return fetch(new URL(pathAndQuery, this.dev.baseUrl), {
      ...rest,
      headers,
      ...(json === undefined ? {} : { method: rest.method ?? 'POST', body: JSON.stringify(json) }),
    })
  }

  async refreshDevFile(): Promise<DevFile> {
    this.dev = await readDevFile(this.place)
    return this.dev
  }

  /** Stops the service as Ctrl-C does; returns the exit code. */
  async stop(): Promise<number | null> {
    if (!this.#process) throw new Error('others use this service too')
    const { exitCode, signalCode } = this.#process
    if (exitCode !== null || signalCode !== null) return exitCode
    const exited = once(this.#process, 'exit')
    this.#process.kill('SIGINT')
    await exited
    return this.#process.exitCode
  }
}

async function untilReady(
  started: ChildProcess,
  output: string[],
  heard: (line: string) => void,
): Promise<void> {
  const { stdout, stderr } = started
  if (!stdout || !stderr) throw new Error('the service has no output')
  await new Promise<void>((resolve, reject) => {
    const onLine = (line: string) => {
      output.push(line)
      heard(line)
      if (line.includes('Stop with Ctrl-C')) resolve()
    }
    createInterface(stdout).on('line', onLine)
    createInterface(stderr).on('line', onLine)
    started.once('exit', (code) =>
      reject(new Error(`the service ended with ${code}:\n${output.join('\n')}`)),
    )
  })
}

async function readDevFile(place: Place): Promise<DevFile> {
  return JSON.parse(await readFile(path.join(place.dataDir, 'dev.json'), 'utf8')) as DevFile
}
