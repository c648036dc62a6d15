import { dock, findEngine, type Engine } from '../../../scripts/containers/engine.ts'
import { installEngine, startOwnEngine } from '../../../scripts/containers/own-engine.ts'
import { poll } from './poll.ts'

/** The Docker engine of this machine, started if that is possible; otherwise why there is none. */
export async function engineForTests(): Promise<{ engine: Engine } | { missing: string }> {
  try {
    return { engine: findEngine() }
  } catch {
    try {
      installEngine(() => undefined)
      await startOwnEngine(() => undefined)
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
