import type { PartJob } from '../../contract/job/part-job.ts'
import { describeError, log } from '../../service/log.ts'
import type { MediaCarrier, OfferAnswer } from '../media-workers/media-worker.ts'
import type { PartId } from '../media-workers/part-places.ts'

/** The job whose parts are rendered in this slot. */
type LeadObject = {
  hasSlot(fence: number, slot: number): Promise<boolean>
  slotStopped(fence: number, slot: number): Promise<void>
}
type Tenant = { jobId: string; fence: number; slot: number }

/** If the job forgets its slot, its container is ended this much later. */
const lookMs = 60_000

/**
 * The container of one borrowed slot, which takes part after part of one job. Its object is a JobRunner without a job,
 * because each container belongs to an object of the class that wrangler.toml names.
 */
export class PartSlot {
  readonly #carrier: MediaCarrier
  readonly #storage: DurableObjectStorage
  readonly #leadOf: (jobId: string) => LeadObject
  #offering = new AbortController()

  constructor(
    carrier: MediaCarrier,
    storage: DurableObjectStorage,
    leadOf: (jobId: string) => LeadObject,
  ) {
    this.#carrier = carrier
    this.#storage = storage
    this.#leadOf = leadOf
  }

  get isOne(): boolean {
    return this.#tenant !== undefined
  }

  get #tenant(): Tenant | undefined {
    return this.#storage.kv.get<Tenant>('tenant')
  }

  async carry(job: PartJob, slot: number): Promise<OfferAnswer> {
    const { jobId, fence } = job
    this.#storage.kv.put('tenant', { jobId, fence, slot })
    await this.#storage.setAlarm(Date.now() + lookMs)
    this.#offering = new AbortController()
    return this.#carrier.offer('container', job, this.#offering.signal)
  }

  async stop({ jobId, fence, n, try: number }: PartId): Promise<void> {
    await this.#carrier.cancel('container', jobId, fence, { n, try: number })
  }

  async release(): Promise<void> {
    this.#offering.abort()
    await this.#carrier.release()
    await this.#storage.deleteAll()
    await this.#storage.deleteAlarm()
  }

  /** The alarm: ends the container if the job has ended or has given the slot back. */
  async look(): Promise<void> {
    const tenant = this.#tenant
    if (!tenant) return
    const { jobId, fence, slot } = tenant
    if (!(await this.#leadOf(jobId).hasSlot(fence, slot))) {
      await this.release()
      return
    }
    await this.#carrier.renew()
    await this.#storage.setAlarm(Date.now() + lookMs)
  }

  /** The container has ended, and with it the part that was rendered in it. */
  async stopped(): Promise<void> {
    const tenant = this.#tenant
    if (!tenant) return
    try {
      await this.#leadOf(tenant.jobId).slotStopped(tenant.fence, tenant.slot)
    } catch (error) {
      // The end of the part's lease tells the job later.
      log('warn', 'a job did not hear of the end of a container', describeError(error))
    }
  }
}
