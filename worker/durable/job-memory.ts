import type { RunState } from './run-state.ts'

const keptAfterEndMs = 3_600_000

/** What a JobRunner remembers, and when it is woken. Nothing is kept of an ended job that no alarm would remove. */
export class JobMemory {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  state(): RunState | undefined {
    return this.#storage.kv.get<RunState>('run')
  }

  save(state: RunState): void {
    this.#storage.kv.put('run', state)
  }

  async wakeAt(at: number): Promise<void> {
    await this.#storage.setAlarm(at)
  }

  /** Before the row says that a job has ended: while it is held the alarm of its lease would find out, else nobody. */
  async expectEnd(): Promise<void> {
    const state = this.state()
    if (state && !state.running) await this.wakeAt(Date.now() + keptAfterEndMs)
  }

  /** Nobody holds the job any more, and an hour from now this object forgets it. The alarm comes first, in case it dies. */
  async settle({ jobId, videoId, fence, attempts }: RunState): Promise<void> {
    const endedAt = Date.now()
    await this.wakeAt(endedAt + keptAfterEndMs)
    this.save({ jobId, videoId, fence, attempts, endedAt })
  }

  async forget(): Promise<void> {
    await this.#storage.deleteAll()
  }
}
