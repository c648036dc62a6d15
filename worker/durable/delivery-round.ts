import { mintId } from '../contract/ids.ts'
import { decideDelivery } from '../service/webhooks/decide-delivery.ts'
import { makeLinks } from '../service/files/file-links.ts'
import { openStorage } from '../service/storages/storage-secret.ts'
import { filesOf, removableKinds } from '../service/storages/plan-deliveries.ts'
import { sendObject } from '../service/storages/send-object.ts'
import { sendEvent } from '../service/webhooks/deliveries.ts'
import { videoEventFor } from '../service/webhooks/event-for.ts'
import type { Env, Settings } from '../settings.ts'
import type { JobToRun } from '../store/jobs/jobs.ts'
import { storageRows } from '../store/named-rows.ts'
import type { StoredDelivery, VideoResult } from '../store/tables/tables.ts'
import { endDeliveries, findUndelivered, saveDeliveries } from '../store/undelivered.ts'
import type { BookedFile, DeliveryBook } from './delivery-book.ts'

/** Long enough for many parts, and far below what an alarm may take. */
const roundMs = 60_000

type Round = {
  env: Env
  settings: Settings
  book: DeliveryBook
  found: JobToRun
  result: VideoResult & { deliveries: StoredDelivery[] }
}

/** What one alarm of a courier does: it sends the files that are due, one after another, and writes down what came of them. */
export class DeliveryRound {
  readonly #parts: Round
  readonly #until = performance.now() + roundMs

  constructor(parts: Round) {
    this.#parts = parts
  }

  /** Returns when to go on; undefined if all deliveries have ended. */
  async run(): Promise<number | undefined> {
    const { book, result } = this.#parts
    for (const [delivery, one] of result.deliveries.entries()) {
      if (one.state !== 'pending') {
        this.#forget(delivery)
        continue
      }
      for (const file of filesOf(one, result).keys()) book.add(delivery, file, Date.now())
    }
    while (!this.#isTimeUp()) {
      const next = book.list().find(({ dueAt }) => dueAt <= Date.now())
      if (!next) break
      await this.#send(next)
    }
    return book.list()[0]?.dueAt
  }

  #isTimeUp(): boolean {
    return performance.now() > this.#until
  }

  async #send(booked: BookedFile): Promise<void> {
    const { env, settings, book, found, result } = this.#parts
    const delivery = result.deliveries[booked.delivery]
    const file = delivery && filesOf(delivery, result)[booked.file]
    const source = file && result.outputs[file.kind]
    if (!delivery || !source) return this.#fail(booked, fileGone)
    // The storage is read again for every try, so that each uses the key that was saved last.
    const row = await storageRows.find(env.DB, found.video.accountId, delivery.storage)
    if (!row) return this.#fail(booked, `The storage ${delivery.storage} was deleted`)
    const storage = await openStorage(settings, row)
    if (!storage) return this.#tryLater(booked, `The secret of ${row.name} cannot be read any more`)
    const sent = await sendObject({
      ...{ settings, bucket: env.BUCKET, storage, source, key: file.key, begun: booked.begun },
      save: (begun) => book.saveBegun(booked, begun),
      isTimeUp: () => this.#isTimeUp(),
    })
    switch (sent.outcome) {
      case 'delivered':
        return this.#finish(booked)
      case 'paused':
        return
      case 'gone':
        return this.#fail(booked, fileGone)
      case 'failed':
        return this.#tryLater(booked, sent.reason)
    }
  }

  async #finish(booked: BookedFile): Promise<void> {
    const { book } = this.#parts
    const { delivery, file } = booked
    const isLast = !book.list().some((one) => one.delivery === delivery && one.file !== file)
    // The row is written before the book: a file that the book has finished is never looked at again, whatever its row
    // says.
    if (isLast) await this.#change(booked, { state: 'delivered', reason: undefined })
    book.finish(booked)
  }

  async #tryLater(booked: BookedFile, reason: string): Promise<void> {
    const { book, settings } = this.#parts
    const { webhookScheduleMs: scheduleMs } = settings
    const tries = (book.find(booked)?.tries ?? 0) + 1
    const turn = { attempt: tries, scheduleMs, now: Date.now(), random: Math.random }
    const next = decideDelivery({ statusCode: null }, turn)
    if (next.status !== 'pending') {
      const times = tries === 1 ? 'one attempt' : `${tries} attempts`
      return this.#fail(booked, `Not delivered in ${times}; the last one: ${reason}`)
    }
    book.wait(booked, { tries, dueAt: next.dueAt })
    await this.#change(booked, { reason })
  }

  /** The other files of the delivery are not sent any more. */
  async #fail(booked: BookedFile, reason: string): Promise<void> {
    await this.#change(booked, { state: 'failed', reason })
    this.#forget(booked.delivery)
  }

  /** Forgets a delivery that has ended. This object may have died between writing the end to the row and noting it here. */
  #forget(delivery: number): void {
    const { book } = this.#parts
    for (const one of book.list()) if (one.delivery === delivery) book.finish(one)
  }

  async #change(
    booked: BookedFile,
    change: { state?: StoredDelivery['state']; reason: string | undefined },
  ): Promise<void> {
    const { env, found, result } = this.#parts
    const delivery = result.deliveries[booked.delivery]
    if (!delivery || (delivery.reason === change.reason && change.state === undefined)) return
    Object.assign(delivery, change)
    if (!(await saveDeliveries(env.DB, found.video.id, result, Date.now())))
      throw new Error(movedOn)
  }

  /** The keys of files in the service's own bucket that are not kept once all deliveries have ended. */
  filesToRemove(): string[] {
    const { found, result } = this.#parts
    const kinds = removableKinds(found.video.request, result)
    return kinds.flatMap((kind) => result.outputs[kind]?.key ?? [])
  }

  /** Writes to the row that all deliveries have ended, and announces it. */
  async end(): Promise<void> {
    const { env, settings, found, result } = this.#parts
    const { video, endpoints } = found
    const now = Date.now()
    const gone = removableKinds(video.request, result)
    const outputs = Object.fromEntries(
      Object.entries(result.outputs).filter(([kind]) => !gone.some((one) => one === kind)),
    )
    const after = { ...video, result: { ...result, outputs }, updatedAt: now }
    const isGood = result.deliveries.every(({ state }) => state === 'delivered')
    const type = isGood ? 'destinations.delivered' : 'destinations.failed'
    const linkTo = makeLinks(settings, now)
    const event = await videoEventFor(after, type, { endpoints, now, linkTo })
    const eventId = mintId('msg')
    const ended = { videoId: video.id, result: after.result, eventId, event, now }
    if (!(await endDeliveries(env.DB, ended))) {
      if (await findUndelivered(env.DB, video.id)) throw new Error(movedOn)
      return
    }
    await sendEvent(env, event)
  }
}

/** Another change of the row came first; the next round reads the row again. */
const movedOn = 'the row of the deliveries has moved on'
const fileGone = 'The file is not kept here any more'
