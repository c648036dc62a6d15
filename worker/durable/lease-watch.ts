import { judgeLease } from '../service/decide-lease.ts'
import type { Running, RunState } from './run-state.ts'
import type { RunnerParts } from './runner-parts.ts'

/** How long a media worker that says nothing is believed to be at work, and when this object looks whether it is. */
export class LeaseWatch {
  readonly #parts: RunnerParts

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** The end of a lease that begins now. */
  end(): number {
    return Date.now() + this.#parts.settings.leaseMs
  }

  /** Wakes this object at the end of the lease, or earlier where that may come too late. */
  async lookAgain(leaseUntil: number): Promise<void> {
    const { carrier, memory } = this.#parts
    await carrier.renew()
    await memory.wakeAt(Math.min(leaseUntil, Date.now() + carrier.lookMs))
  }

  renewed(running: Running): Running {
    return { ...running, leaseUntil: this.end(), heardOut: false }
  }

  /** True when the attempt is lost. Else it is looked at again at the end of its lease: renewing that leaves the alarm. */
  async isOver(state: RunState, running: Running): Promise<boolean> {
    const { carrier, memory, settings } = this.#parts
    // One that is asked no more was most likely started again, at another address.
    const heardOut = running.heardOut || !carrier.workers().includes(running.worker)
    const known = { leaseUntil: running.leaseUntil, heardOut }
    const lease = judgeLease(known, settings.leaseMs, Date.now())
    if (lease === 'over' || carrier.isGone()) return true
    if (lease !== known) memory.save({ ...state, running: { ...running, ...lease } })
    await this.lookAgain(lease.leaseUntil)
    return false
  }
}
