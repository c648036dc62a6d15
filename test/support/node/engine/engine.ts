import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { dock, findEngine, type Engine } from '../../../../scripts/containers/engine.ts'
import { installEngine, startOwnEngine } from '../../../../scripts/containers/own-engine.ts'
import { poll } from '../poll.ts'

/** Says that a test has started the engine. */
export const startedHere = path.join(tmpdir(), 'spool-engine-tests.started')
/** For the first images of a machine, which are made from Debian's archive and npm. */
export const enginePatienceMs = 900_000
const lock = path.join(tmpdir(), 'spool-engine-tests.lock')

/** One file at a time installs, starts and builds; the next one finds the layers that it has made. */
export async function aloneOnEngine<Value>(work: () => Promise<Value>): Promise<Value> {
  await poll('the engine to be free', async () => (takeLock() ? true : undefined), enginePatienceMs)
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

/** A process that was killed leaves its lock behind. */
function takeLock(): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const holder = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0
    if (holder > 0 && !existsSync(`/proc/${holder}`)) rmSync(lock, { force: true })
    return false
  }
}

/** The Docker engine of this machine, started if that is possible; otherwise why there is none. */
export async function engineForTests(): Promise<{ engine: Engine } | { missing: string }> {
  try {
    return { engine: findEngine() }
  } catch {
    try {
      installEngine(() => undefined)
      await startOwnEngine(() => undefined)
      writeFileSync(startedHere, '')
      return { engine: findEngine() }
    } catch (error) {
      return { missing: error instanceof Error ? error.message : String(error) }
    }
  }
}

export type Container = { id: string; image: string; isSidecar: boolean }

/** What a service in this data directory has on the engine now. */
export class OwnContainers {
  readonly engine: Engine
  readonly #label: string

  constructor(engine: Engine, mark: string) {
    this.engine = engine
    this.#label = `label=spool.data-directory=${mark}`
  }

  dock(...args: readonly string[]): string {
    const said = dock(this.engine, ...args)
    if (said === undefined) throw new Error(`docker ${args.join(' ')} failed`)
    return said
  }

  all(...filters: readonly string[]): Container[] {
    const named = ['--filter', this.#label, ...filters.flatMap((filter) => ['--filter', filter])]
    const format = '{{.ID}} {{.Image}} {{.Names}}'
    const lines = this.dock('ps', '--all', '--no-trunc', ...named, '--format', format).split('\n')
    return lines
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', image = '', name = ''] = line.split(' ')
        return { id, image, isSidecar: name.endsWith('-proxy') }
      })
  }

  /** The containers of jobs. */
  jobs(...filters: readonly string[]): Container[] {
    return this.all(...filters).filter(({ isSidecar }) => !isSidecar)
  }

  async untilJobs(count: number): Promise<Container[]> {
    return poll(`${count} containers of jobs`, async () => {
      const jobs = this.jobs()
      return jobs.length === count ? jobs : undefined
    })
  }
}
