import { judgeLease } from '../../service/jobs/decide-lease.ts'
import type { Running, RunState } from './run-state.ts'
import type { RunnerParts } from './runner-parts.ts'

/** Watches the lease of an attempt: how long a silent media worker is believed to be at work, and when to check. */
export class LeaseWatch {
  readonly #parts: RunnerParts

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** The end of a lease that begins now. */
  end(): number {
    return Date.now() + this.#parts.settings.leaseMs
  }

  /** Wakes this object at the end of the lease, or earlier if the carrier has to be checked more often. */
  async lookAgain(leaseUntil: number): Promise<void> {
    const { carrier, memory } = this.#parts
    await carrier.renew()
    await memory.wakeAt(Math.min(leaseUntil, Date.now() + carrier.lookMs))
  }

  renewed(running: Running): Running {
    return { ...running, leaseUntil: this.end(), heardOut: false }
  }

  /**
   * Whether the attempt is lost. If not, the alarm is set to the end of the lease, because renewing a lease does not
   * move the alarm.
   */
  async isOver(state: RunState, running: Running): Promise<boolean> {
    const { carrier, memory, settings } = this.#parts
    // A worker that is no longer in the list was most likely restarted at another address.
    const heardOut = running.heardOut || !carrier.workers().includes(running.worker)
    const known = { leaseUntil: running.leaseUntil, heardOut }
    const lease = judgeLease(known, settings.leaseMs, Date.now())
    if (lease === 'over' || carrier.isGone()) return true
    if (lease !== known) memory.save({ ...state, running: { ...running, ...lease } })
    await this.lookAgain(lease.leaseUntil)
    return false
  }
}
