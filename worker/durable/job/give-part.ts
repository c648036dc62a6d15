import type { PartsRequest } from '../../contract/job/part-job.ts'
import { buildPartJob } from '../../service/jobs/build-part-job.ts'
import { dispatcher, tellDispatcher } from '../../service/line/dispatching.ts'
import { describeError, log } from '../../service/log.ts'
import type { FilmContext, FilmParts } from './film-parts.ts'
import type { RunState, Running } from './job-memory.ts'
import { isActive, type GivenPart } from './part-ledger.ts'

type GiveRequest = Extract<PartsRequest, { ask: 'give' }>
type PartOnOffer = { jobId: string; part: GivenPart; request: GiveRequest; film: Running['film'] }
type GivingContext = FilmContext & {
  parts: FilmParts
  /** The attempt that holds the job, if it has this fence. */
  held: (fence: number) => RunState | undefined
  inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>
}

/**
 * Gives parts to media workers. An offer does not block other calls of the object: a container may take seconds to start,
 * and reports must not wait for it. So the state is checked again after each offer.
 */
export class PartGiver {
  readonly #around: GivingContext
  readonly #giving = new Map<string, Promise<boolean | undefined>>()
  readonly #interruption = new AbortController()

  constructor(around: GivingContext) {
    this.#around = around
  }

  /** Whether a media worker took the part; undefined tells an outdated attempt to stop. A repeated request gets one answer. */
  async give(request: GiveRequest): Promise<boolean | undefined> {
    const key = `${request.fence}/${request.n}/${request.try}`
    const giving = this.#giving.get(key) ?? this.#giveOnce(request)
    this.#giving.set(key, giving)
    try {
      return await giving
    } finally {
      this.#giving.delete(key)
    }
  }

  async #giveOnce(request: GiveRequest): Promise<boolean | undefined> {
    const { inTurn } = this.#around
    const begun = await inTurn(async () => this.#begin(request))
    if (typeof begun !== 'object') return begun
    const worker = await this.#place(begun)
    return inTurn(async () => this.#noteOffer(begun, worker))
  }

  async #begin(request: GiveRequest): Promise<PartOnOffer | boolean | undefined> {
    const { ledger, parts, held } = this.#around
    const state = held(request.fence)
    if (!state?.running) return undefined
    const { fence, film, worker } = state.running
    const { accountId, maxRunning } = film
    await parts.open({ fence, jobId: state.jobId, accountId, maxRunning, worker })
    if (ledger.film()?.fence !== fence) return false
    const known = ledger.find(request)
    // This object died during its offer. If a media worker took the part, it is told to stop.
    if (known?.state === 'offered') parts.endPart(known, { state: 'stopped', isOver: true })
    if (known) return known.state !== 'offered' && known.state !== 'stopped'
    const part: GivenPart = {
      ...{ n: request.n, try: request.try, state: 'offered', slot: parts.lowestFreeSlot() },
      ...{ pictures: 0, bytes: 0, startedAt: Date.now(), leaseUntil: parts.leaseEnd() },
      ...('kind' in request.spec && { isHeard: true }),
    }
    ledger.save(part)
    return { jobId: state.jobId, part, request, film }
  }

  /** Returns the media worker that has taken the part, if any. */
  async #place({ part, request, film }: PartOnOffer): Promise<string | undefined> {
    const { env, settings, ledger, places } = this.#around
    const lent = ledger.film()
    if (!lent) return undefined
    const { borrower, slots: held } = lent
    const { jobId } = borrower
    const { slot } = part
    try {
      if (!(await dispatcher(env).lend(borrower, slot, held))) return undefined
      if (!ledger.find(part)) {
        await dispatcher(env).giveBack(jobId, [slot])
        return undefined
      }
      ledger.hold(slot)
      const claim = { jobId, fence: request.fence, n: part.n, try: part.try }
      const { accountId: account, uploadId } = film
      const { spec, files } = request
      const build = async (worker: string) =>
        buildPartJob(settings, worker, { claim, account, spec, files, uploadId })
      const interrupted = this.#interruption.signal
      const answer = await places.offer({ jobId, slot, build, interrupted, lead: borrower.worker })
      if (typeof answer === 'object') return answer.worker
      if (answer === 'busy' && places.keepsSlots) {
        await tellDispatcher(env, async (slots) => slots.noContainer(jobId, slot))
      }
    } catch (error) {
      log('warn', 'a part was not given', { jobId, n: part.n, ...describeError(error) })
    }
    return undefined
  }

  async #noteOffer(
    { jobId, part, request }: PartOnOffer,
    worker: string | undefined,
  ): Promise<boolean | undefined> {
    const { ledger, parts, places, held, inBackground } = this.#around
    const { fence } = request
    const isHeld = held(fence) !== undefined
    const now = ledger.find(part)
    if (!isHeld || now === undefined || now.state === 'stopped') {
      if (worker !== undefined) {
        inBackground(places.stop({ ...part, jobId, fence, worker }).catch(() => undefined))
      }
      return isHeld ? false : undefined
    }
    if (worker !== undefined) {
      // A quick media worker may have reported by now how the part went.
      const leaseUntil = parts.leaseEnd()
      const state = isActive(now) ? 'running' : now.state
      ledger.save({ ...now, state, worker, leaseUntil })
      return true
    }
    if (now.state !== 'offered') return true
    ledger.remove(part)
    parts.giveBackSlot(part.slot)
    return false
  }
}
