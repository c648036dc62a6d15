import { DurableObject } from 'cloudflare:workers'
import { isolateMemory } from '../contract/isolate-memory.ts'
import { storageLimits } from '../contract/limits.ts'
import { describeError, log } from '../service/log.ts'
import { openStorage } from '../service/storages/storage-secret.ts'
import { abortUpload, type BegunUpload } from '../service/storages/send-object.ts'
import { readSettings, type Env } from '../settings.ts'
import { findJob } from '../store/jobs/jobs.ts'
import { storageRows } from '../store/named-rows.ts'
import { findUndelivered } from '../store/undelivered.ts'
import { DeliveryBook } from './delivery-book.ts'
import { DeliveryRound } from './delivery-round.ts'

/** How long to wait before asking again, when the database or the bucket of the service does not answer. */
const repairMs = 30_000
const crowdedMs = 1000
/** After this time, the place of a round that died without giving it back is free again. */
const placeMs = 300_000

/** The couriers that are sending now, each with the time at which its place expires. Objects of one isolate share this memory. */
const atWork = isolateMemory(() => new Map<string, number>())

/**
 * One object for each video whose results go to buckets of its account, so that a bucket that is down delays the results
 * of no other video. It keeps how far each file has come; D1 has what is to be delivered, and what came of it. Secrets are
 * read from D1 for each try, and kept nowhere.
 */
export class Courier extends DurableObject<Env> {
  readonly #book: DeliveryBook

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#book = new DeliveryBook(ctx.storage.sql)
  }

  /** Looks at the video soon. Safe to call at any time; sets an alarm that was lost. */
  async begin(videoId: string): Promise<void> {
    this.ctx.storage.kv.put('videoId', videoId)
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    const videoId = this.ctx.storage.kv.get<string>('videoId')
    if (videoId === undefined) return
    const next = await this.#inPlace(videoId).catch((error: unknown) => {
      log('error', 'deliveries have to wait', { videoId, ...describeError(error) })
      return Date.now() + repairMs
    })
    if (next !== undefined) await this.ctx.storage.setAlarm(next)
  }

  /** Works while one of the few places is free: every part that is being sent lies in the memory that all objects here share. */
  async #inPlace(videoId: string): Promise<number | undefined> {
    const now = Date.now()
    const places = atWork.current
    for (const [name, until] of places) if (until < now) places.delete(name)
    if (places.size >= storageLimits.atOnce && !places.has(videoId)) return now + crowdedMs
    places.set(videoId, now + placeMs)
    try {
      return await this.#work(videoId)
    } finally {
      places.delete(videoId)
    }
  }

  async #work(videoId: string): Promise<number | undefined> {
    const { env } = this
    const row = await findUndelivered(env.DB, videoId)
    if (!row) return this.#forget()
    this.ctx.storage.kv.put('accountId', row.accountId)
    const found = await findJob(env.DB, row.jobId)
    const deliveries = found?.video.result?.deliveries
    if (!found?.video.result || !deliveries) return this.#forget()
    const result = { ...found.video.result, deliveries }
    const settings = readSettings(env)
    const round = new DeliveryRound({ env, settings, book: this.#book, found, result })
    const next = await round.run()
    if (next !== undefined) return Math.max(next, Date.now())
    // Stored first: once the database has forgotten these files, only this object knows which to remove.
    this.ctx.storage.kv.put('removed', round.filesToRemove())
    await round.end()
    return this.#forget()
  }

  /** Ends this object when no delivery is left: it leaves nothing behind, here or in a bucket. */
  async #forget(): Promise<undefined> {
    const { storage } = this.ctx
    const removed = storage.kv.get<string[]>('removed') ?? []
    if (removed.length > 0) await this.env.BUCKET.delete(removed)
    const dropped = [
      ...this.#book.listDropped(),
      ...this.#book.list().flatMap((one) => one.begun ?? []),
    ]
    for (const begun of dropped) await this.#abort(begun)
    this.#book.closed()
    await storage.deleteAll()
  }

  /** Tries to drop an upload. The bucket is the customer's, so what cannot be dropped is left to the rules of that bucket. */
  async #abort(begun: BegunUpload): Promise<void> {
    const accountId = this.ctx.storage.kv.get<string>('accountId')
    const row = accountId && (await storageRows.find(this.env.DB, accountId, begun.storage))
    const settings = readSettings(this.env)
    const storage = row && (await openStorage(settings, row))
    if (storage) await abortUpload(settings, storage, begun)
  }
}

/** The courier of this video. */
export function courier(env: Env, videoId: string): DurableObjectStub<Courier> {
  // wrangler.toml binds COURIER to the class above.
  return (env.COURIER as DurableObjectNamespace<Courier>).getByName(videoId)
}

/** Tells the courier of a video that there is something to do. If the call is lost, the sweep repeats it. */
export async function callCourier(env: Env, videoId: string): Promise<void> {
  try {
    await courier(env, videoId).begin(videoId)
  } catch (error) {
    log('warn', 'a courier was not told', { videoId, ...describeError(error) })
  }
}
