import type { RunState } from './run-state.ts'

const keptAfterEndMs = 3_600_000

/**
 * What a JobRunner remembers, and when its alarm wakes it. The state of an ended job is kept only while an alarm is set
 * to remove it.
 */
export class JobMemory {
  readonly #storage: DurableObjectStorage
  #confirmed: number | undefined

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  state(): RunState | undefined {
    return this.#storage.kv.get<RunState>('run')
  }

  save(state: RunState): void {
    this.#storage.kv.put('run', state)
  }

  /** D1 has just confirmed this claim. An object that was restarted may have missed that it no longer holds. */
  confirm(fence: number): void {
    this.#confirmed = fence
  }

  isConfirmed(fence: number): boolean {
    return this.#confirmed === fence
  }

  async wakeAt(at: number): Promise<void> {
    await this.#storage.setAlarm(at)
  }

  /**
   * Call this before the row says that a job has ended, so that this object finds out even if it dies in between. While
   * the job is held, the alarm of its lease does that.
   */
  async expectEnd(): Promise<void> {
    const state = this.state()
    if (state && !state.running) await this.wakeAt(Date.now() + keptAfterEndMs)
  }

  /**
   * Remembers that the job has ended; an hour later this object forgets it. The alarm is set first, in case the object
   * dies in between.
   */
  async settle({ jobId, videoId, fence, attempts }: RunState): Promise<void> {
    const endedAt = Date.now()
    await this.wakeAt(endedAt + keptAfterEndMs)
    this.save({ jobId, videoId, fence, attempts, endedAt })
  }

  async forget(): Promise<void> {
    await this.#storage.deleteAll()
  }
}
