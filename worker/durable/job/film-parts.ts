import type { OutputGrant } from '../../contract/job/media-job.ts'
import type {
  PartOutputRequest,
  PartReport,
  PartsAnswer,
  PartsRequest,
  PartTry,
  ToldPart,
} from '../../contract/job/part-job.ts'
import type { ReportAnswer } from '../../contract/job/report.ts'
import type { ShownPart } from '../../contract/job/shown-part.ts'
import { tellDispatcher } from '../../service/line/dispatching.ts'
import type { Borrower } from '../../service/line/lending.ts'
import { reachOf } from '../../service/jobs/reach.ts'
import { describeError, log, noted } from '../../service/log.ts'
import type { Env, Settings } from '../../settings.ts'
import { AddressSigner } from '../../store/objects/address-signer.ts'
import {
  abortUpload,
  completeUpload,
  deleteObjects,
  partsKey,
  partsPrefix,
  type UploadedPart,
} from '../../store/objects/objects.ts'
import type { PartPlaces } from '../media-workers/part-places.ts'
import { isActive, type GivenPart, type PartLedger } from './part-ledger.ts'
import { beginPartUpload, grantUpload } from './grant-upload.ts'

/** A container without a part for this long is ended, because a whole job may be waiting for its slot. */
const idleMs = 3_000
/** How often the dispatcher is told which slots the job still has. */
const keepMs = 30_000

export type FilmContext = {
  env: Env
  settings: Settings
  ledger: PartLedger
  places: PartPlaces
  /** Runs work that the caller does not wait for. */
  inBackground: (work: Promise<void>) => void
}

/** The attempt whose film is rendered in parts, and the media worker that leads it. */
type Lead = Borrower & { fence: number }
type PartsQuestion = Exclude<
  PartsRequest,
  { ask: 'give' | 'idle' | 'keep' | 'kept' | 'remember' | 'recall' }
>
/** `isOver`: the media worker itself has reported the end. */
type PartEnd = Pick<GivenPart, 'state' | 'why' | 'result'> & { isOver: boolean }

/** What becomes of the parts that were given to media workers, until the attempt ends. */
export class FilmParts {
  readonly #context: FilmContext
  /** Slots whose work is being ended; they are given no part meanwhile. */
  readonly #closing = new Set<number>()
  #keptAt = 0
  /** Undefined until the ledger was read. Most jobs have no parts, and are spared that look at each report. */
  #mayHaveParts: boolean | undefined

  constructor(context: FilmContext) {
    this.#context = context
  }

  async answer(lead: Lead, request: PartsQuestion): Promise<PartsAnswer> {
    const { env, settings, ledger } = this.#context
    switch (request.ask) {
      case 'store': {
        const { name, sizeBytes } = request
        // The ledger is opened before anything is stored, so that the file is removed with the film even if no part is
        // given away.
        await this.open(lead)
        const wanted = { key: partsKey(lead, name), sizeBytes }
        const upload = await beginPartUpload(env.BUCKET, ledger.file(name)?.upload, wanted)
        ledger.saveFile(name, { upload, isStored: false })
        return grantUpload(settings, upload, lead.worker)
      }
      case 'stored':
        await this.#storeFile(request.name, request.parts)
        return {}
      case 'state':
        this.lookAround()
        return { parts: await Promise.all(request.parts.map(async (one) => this.#tell(lead, one))) }
      case 'stop':
        for (const one of request.parts) {
          const part = ledger.find(one)
          if (part && isActive(part)) this.endPart(part, { state: 'stopped', isOver: false })
        }
        return {}
    }
  }

  /** Opens the ledger for this attempt, without anything of an earlier one. */
  async open({ fence, ...borrower }: Lead): Promise<void> {
    const { ledger } = this.#context
    if (ledger.film() && ledger.film()?.fence !== fence) await this.end()
    this.#mayHaveParts = true
    ledger.open({ fence, borrower })
  }

  /** Takes the report of a media worker about its part. */
  async hear(report: PartReport): Promise<ReportAnswer['action']> {
    const { ledger } = this.#context
    const part = ledger.find(report)
    if (!part || !isActive(part)) return 'stop'
    switch (report.type) {
      case 'progress': {
        const pictures = Math.max(part.pictures, report.pictures)
        const bytes = Math.max(part.bytes, report.bytes)
        ledger.save({ ...part, pictures, bytes, leaseUntil: this.leaseEnd() })
        return 'carry-on'
      }
      case 'done':
        // If the bucket does not answer, its media worker reports again.
        ledger.save({ ...part, leaseUntil: this.leaseEnd() })
        await this.#keepResult(part, report)
        return 'stop'
      case 'failed':
        this.endPart(part, { state: 'failed', why: report.message, isOver: true })
        return 'stop'
      case 'released':
        this.endPart(part, { state: 'failed', why: 'It was handed back.', isOver: true })
        return 'stop'
    }
  }

  /** Grants upload addresses for the result of a part; undefined tells an outdated try to stop. */
  async grant(jobId: string, request: PartOutputRequest): Promise<OutputGrant | undefined> {
    const { env, settings, ledger } = this.#context
    const part = ledger.find(request)
    if (!part || !isActive(part)) return undefined
    const { n, try: number, fence, sizeBytes } = request
    const wanted = { key: partsKey({ jobId, fence }, `${n}-${number}`), sizeBytes }
    const upload = await beginPartUpload(env.BUCKET, part.upload, wanted)
    ledger.save({ ...part, upload, leaseUntil: this.leaseEnd() })
    return grantUpload(settings, upload, part.worker ?? '')
  }

  leaseEnd(): number {
    return Date.now() + this.#context.settings.leaseMs
  }

  lowestFreeSlot(): number {
    return this.#context.ledger.lowestFreeSlot(this.#closing)
  }

  hasSlot(fence: number, slot: number): boolean {
    const film = this.#context.ledger.film()
    return film?.fence === fence && film.slots.includes(slot)
  }

  /** The container of this slot has stopped: the part that was rendered there is lost. */
  slotStopped(fence: number, slot: number): void {
    if (!this.hasSlot(fence, slot)) return
    for (const part of this.#context.ledger.active()) {
      if (part.slot !== slot || part.state !== 'running') continue
      this.endPart(part, { state: 'failed', why: 'Its container has stopped.', isOver: true })
    }
    this.giveBackSlot(slot)
  }

  shown(fence: number): ShownPart[] {
    const { ledger } = this.#context
    return ledger.film()?.fence === fence ? ledger.shown(Date.now()) : []
  }

  endPart(part: GivenPart, { isOver, ...end }: PartEnd): void {
    const { ledger, places } = this.#context
    ledger.save({ ...part, ...end, endedAt: Date.now() })
    // Work that may still run in that slot is ended with its container.
    const mayStay = places.keepsSlots && (isOver || end.state === 'stopped')
    if (!isOver) this.#close(part.slot, async () => this.#stop(part), { andGiveBack: !mayStay })
    else if (!mayStay) this.giveBackSlot(part.slot)
  }

  /** Gives a slot back; a container is ended before anybody else may count on it. */
  giveBackSlot(slot: number): void {
    this.#close(slot, async () => undefined, { andGiveBack: true })
  }

  /**
   * Ends all that is rendered for this film, because its attempt has ended, and removes what was exchanged for it. If the
   * bucket does not answer, the ledger stays, so that this is done again.
   */
  async end(): Promise<void> {
    const { env, ledger, places, inBackground } = this.#context
    const film = ledger.film()
    if (!film) return
    const { jobId } = film.borrower
    const stopped = ledger.active().map(async (part) => this.#stop(part))
    const released = film.slots.map(async (slot) =>
      noted('the container of a part slot was not ended', async () =>
        places.endContainer(jobId, slot),
      ),
    )
    const free = async (): Promise<void> => {
      await Promise.all([...stopped, ...released])
      await tellDispatcher(env, async (slots) => slots.giveBack(jobId, 'all'))
    }
    inBackground(free())
    try {
      for (const upload of ledger.openUploads()) {
        await noted('an upload was not aborted', async () => abortUpload(env.BUCKET, upload))
      }
      await deleteObjects(env.BUCKET, partsPrefix(jobId))
      ledger.forget()
    } catch (error) {
      log('warn', 'the parts of a film were not removed', { jobId, ...describeError(error) })
    }
  }

  #close(slot: number, work: () => Promise<void>, { andGiveBack }: { andGiveBack: boolean }): void {
    const { env, ledger, places, inBackground } = this.#context
    const jobId = ledger.film()?.borrower.jobId
    if (jobId === undefined || this.#closing.has(slot)) return
    this.#closing.add(slot)
    const close = async (): Promise<void> => {
      await work()
      if (!andGiveBack) return
      await noted('the container of a part slot was not ended', async () =>
        places.endContainer(jobId, slot),
      )
      ledger.giveUp(slot)
      await tellDispatcher(env, async (slots) => slots.giveBack(jobId, [slot]))
    }
    inBackground(close().finally(() => this.#closing.delete(slot)))
  }

  async #stop(part: GivenPart): Promise<void> {
    const { ledger, places } = this.#context
    const film = ledger.film()
    const { worker } = part
    if (!film || worker === undefined) return
    const { fence, borrower } = film
    await noted('a part was not stopped', async () =>
      places.stop({ ...part, jobId: borrower.jobId, fence, worker }),
    )
  }

  async #storeFile(name: string, parts: readonly UploadedPart[]): Promise<void> {
    const { env, ledger } = this.#context
    const file = ledger.file(name)
    if (!file || file.isStored) return
    const stored = await completeUpload(env.BUCKET, file.upload, parts)
    if (stored === 'lost') throw new Error('a file for the parts of a film was not stored')
    ledger.saveFile(name, { ...file, isStored: true })
  }

  async #keepResult(
    part: GivenPart,
    { result, parts }: Extract<PartReport, { type: 'done' }>,
  ): Promise<void> {
    const { env } = this.#context
    const { upload } = part
    const isWhole = upload !== undefined && upload.sizeBytes === result.sizeBytes
    const stored = isWhole ? await completeUpload(env.BUCKET, upload, parts) : 'lost'
    if (stored !== 'lost') this.endPart(part, { state: 'stored', result, isOver: true })
    else this.endPart(part, { state: 'failed', why: 'Its result is not there.', isOver: true })
  }

  async #tell({ worker }: Lead, one: PartTry): Promise<ToldPart> {
    const { ledger, settings } = this.#context
    const { n, try: number } = one
    const part = ledger.find(one)
    if (part && isActive(part)) {
      const { pictures, bytes } = part
      return { n, try: number, state: 'running', pictures, bytes }
    }
    if (part?.result && part.upload) {
      const read = await new AddressSigner(settings).read(part.upload.key)
      const url = await reachOf(settings, worker).storage(read)
      return { n, try: number, state: 'stored', url, result: part.result }
    }
    return { n, try: number, state: 'failed', why: part?.why ?? 'It is not rendered any more.' }
  }

  /**
   * Finds late parts and idle slots. The lead asks about its parts once a second. Once it has none, it reports only every
   * few seconds, because it may have much to join and to store.
   */
  lookAround(): void {
    const { env, settings, ledger } = this.#context
    this.#mayHaveParts ??= ledger.film() !== undefined
    const film = this.#mayHaveParts ? ledger.film() : undefined
    if (!film) return
    const now = Date.now()
    for (const part of ledger.active()) {
      const { leaseUntil } = part
      if (leaseUntil > now && leaseUntil <= now + settings.leaseMs) continue
      const why = 'Its media worker has fallen silent.'
      this.endPart(part, { state: 'failed', why, isOver: false })
    }
    for (const slot of ledger.idleSince(now - idleMs)) this.giveBackSlot(slot)
    // A slot that is being given back is not told: the dispatcher may have it back already, and would count it as lent
    // again.
    const kept = film.slots.filter((slot) => !this.#closing.has(slot))
    if (kept.length === 0 || Math.abs(now - this.#keptAt) < keepMs) return
    this.#keptAt = now
    const { borrower } = film
    const keep = tellDispatcher(env, async (slots) => slots.keepLent(borrower, kept))
    this.#context.inBackground(keep)
  }
}
