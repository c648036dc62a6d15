import type { WorkRequest } from './work-process.ts'
import { WorkProcess, type ProcessOptions } from './work-process.ts'

type WorkProcessesOptions<Setup> = ProcessOptions<Setup> & {
  /** How many tasks may run at once. */
  readonly most: number
  /** A process that holds more than this after its task is replaced, which gives the memory back. */
  readonly keptBytes: number
}

/**
 * The processes that work on files of customers. Each does one task after the other, because starting takes half a second; one
 * more than are busy is kept ready.
 */
export class WorkProcesses<Setup, Task, Told, Result> {
  readonly #options: WorkProcessesOptions<Setup>
  readonly #idle = new Set<WorkProcess<Setup, Task, Told, Result>>()
  #busy = 0

  constructor(options: WorkProcessesOptions<Setup>) {
    this.#options = options
    this.#standReady()
  }

  async work(request: WorkRequest<Task, Told>): Promise<Result> {
    const [found = this.#open()] = this.#idle
    this.#idle.delete(found)
    this.#busy += 1
    this.#standReady()
    try {
      return await found.work(request)
    } finally {
      this.#busy -= 1
      await this.#keep(found)
    }
  }

  /** Ends all processes. */
  close(): void {
    for (const one of this.#idle) one.kill()
  }

  async #keep(one: WorkProcess<Setup, Task, Told, Result>): Promise<void> {
    if (!one.isAlive) return this.#standReady()
    const bytes = await one.residentBytes()
    if (bytes <= this.#options.keptBytes && this.#idle.size + this.#busy < this.#options.most) {
      this.#idle.add(one)
      return
    }
    one.kill()
    this.#standReady()
  }

  #standReady(): void {
    const { most } = this.#options
    if (this.#idle.size > 0 || this.#busy >= most) return
    this.#idle.add(this.#open())
  }

  #open(): WorkProcess<Setup, Task, Told, Result> {
    const opened = new WorkProcess<Setup, Task, Told, Result>(this.#options)
    void opened.ended.then(() => this.#idle.delete(opened))
    return opened
  }
}
