import type { PartJob, PartTry } from '../../contract/job/part-job.ts'
import { describeError, log } from '../../service/log.ts'
import type { MediaCarrier, OfferAnswer } from './media-worker.ts'

type PlacedPart = PartTry & { jobId: string; fence: number; slot: number; worker: string }
export type PartId = Pick<PartJob, 'jobId' | 'fence' | 'n' | 'try'>

/** `slot`: the number that the job has given to the slot it borrowed. */
type Offering = {
  jobId: string
  slot: number
  /** Builds the part as it is sent to this media worker. */
  build: (worker: string) => Promise<PartJob>
  interrupted: AbortSignal
  /** The media worker that holds the job itself. */
  lead: string
}

/** Where the parts of a film are rendered. */
export type PartPlaces = {
  /** A slot that has rendered one part can render the next without being started again. */
  readonly keepsSlots: boolean
  offer(offering: Offering): Promise<{ worker: string } | Exclude<OfferAnswer, 'taken'>>
  /** Best effort: a media worker that misses it is told to stop by the answer to its next report. */
  stop(part: PlacedPart): Promise<void>
  /** Ends whatever holds the slot. */
  endContainer(jobId: string, slot: number): Promise<void>
}

/** Parts as jobs of media workers that have addresses. */
export function partsOverHttp(carrier: MediaCarrier): PartPlaces {
  return {
    keepsSlots: false,
    async offer({ build, interrupted, lead }) {
      const workers = carrier.workers()
      const away = workers.filter((worker) => worker !== lead)
      // The lead's own other slots come last: they share its cores.
      for (const worker of [...away, ...(workers.includes(lead) ? [lead] : [])]) {
        if (interrupted.aborted) return 'silent'
        const answer = await carrier.offer(worker, await build(worker), interrupted)
        if (answer === 'taken') return { worker }
      }
      return 'busy'
    },
    async stop({ worker, jobId, fence, n, try: number }) {
      await carrier.cancel(worker, jobId, fence, { n, try: number })
    },
    async endContainer() {},
  }
}

/** The object of a part slot, which has a container. */
type PartSlotCalls = {
  carryPart(job: PartJob, slot: number): Promise<OfferAnswer>
  stopPart(part: PartId): Promise<void>
  releaseSlot(): Promise<void>
}

const container = 'container'

/** A container for each slot that the job has borrowed, which renders several parts in a row. */
export function partsInContainers(
  slotOf: (jobId: string, slot: number) => PartSlotCalls,
): PartPlaces {
  return {
    keepsSlots: true,
    async offer({ jobId, slot, build }) {
      try {
        const answer = await slotOf(jobId, slot).carryPart(await build(container), slot)
        return answer === 'taken' ? { worker: container } : answer
      } catch (error) {
        log('warn', 'a part slot did not answer', { jobId, slot, ...describeError(error) })
        return 'silent'
      }
    },
    async stop({ jobId, slot, fence, n, try: number }) {
      await slotOf(jobId, slot).stopPart({ jobId, fence, n, try: number })
    },
    async endContainer(jobId, slot) {
      await slotOf(jobId, slot).releaseSlot()
    },
  }
}
