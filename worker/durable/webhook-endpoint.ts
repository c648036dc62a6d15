import { DurableObject } from 'cloudflare:workers'
import { webhookLimits } from '../contract/limits.ts'
import type { DeliveryAttempt } from '../contract/webhooks/webhook-delivery.ts'
import { testEventType } from '../contract/webhooks/webhook-event.ts'
import { addressPolicy } from '../service/limits/address-policy.ts'
import {
  decideDelivery,
  isSpent,
  type DeliveryAnswer,
} from '../service/webhooks/decide-delivery.ts'
import { timestamp } from '../service/videos/describe-video.ts'
import { describeError, log } from '../service/log.ts'
import { readSettings, type Env, type Settings } from '../settings.ts'
import {
  findDeliveryToSend,
  type DeliveryToHandOver,
  type DeliveryToSend,
} from '../store/webhooks/deliveries.ts'
import { markExhausted, recordAttempt } from '../store/webhooks/delivery-changes.ts'
import { EndpointBook, type BookEntry, type SendingNote } from './endpoint-book.ts'
import { sendWebhook, type SentWebhook } from '../service/webhooks/send-webhook.ts'

type OfferTaken = 'taken' | 'held' | 'full'

const { attemptMs, inFlight } = webhookLimits
/** An attempt takes 15 s at most; the rest is time for reading and recording. */
const leaseMs = attemptMs + 15_000

/**
 * One object per account and receiving origin, so that a receiver that is down delays no other. The object keeps the
 * times at which deliveries are due; D1 has what is sent and what came of it.
 */
export class WebhookEndpoint extends DurableObject<Env> {
  readonly #settings: Settings
  readonly #book: EndpointBook
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#settings = readSettings(env)
    this.#book = new EndpointBook(ctx.storage.sql)
  }

  /** Takes a delivery over without waiting for it. Safe to call twice; sets an alarm that was lost. */
  async offer(deliveryId: string, dueAt: number): Promise<OfferTaken> {
    const offered = this.#book.add(deliveryId, dueAt)
    await this.#goOn()
    return offered
  }

  /** The same for many deliveries. If there is no room for all of them, the next sweep brings the rest again. */
  async offerAll(due: readonly { id: string; dueAt: number }[]): Promise<void> {
    for (const { id, dueAt } of due) if (this.#book.add(id, dueAt) === 'full') break
    await this.#goOn()
  }

  /** Takes a delivery over and resolves when it is done with, or when the time is up. */
  async offerAndWait(deliveryId: string, dueAt: number, waitMs: number): Promise<void> {
    await this.offer(deliveryId, dueAt)
    let timer: number | null = null
    let isUp = false
    const timeUp = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        isUp = true
        resolve()
      }, waitMs)
    })
    while (!isUp && this.#book.find(deliveryId)) {
      await Promise.race([timeUp, ...this.#underWay.values()])
    }
    clearTimeout(timer)
  }

  override async alarm(): Promise<void> {
    await this.#goOn()
  }

  /** Resolves when no attempt is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.values())
  }

  /**
   * Begins every attempt that may begin now. The alarm is set first, so that an attempt whose process dies is noticed.
   */
  async #goOn(): Promise<void> {
    const now = Date.now()
    for (const entry of this.#book.listExpired(now)) this.#reclaim(entry, now)
    const taken = this.#book.takeDue(now, now + leaseMs, inFlight)
    const armed = this.#arm()
    for (const id of taken) this.#begin(id, armed)
    await armed
  }

  async #arm(): Promise<void> {
    const at = this.#book.nextLook(inFlight)
    if (at !== undefined) await this.ctx.storage.setAlarm(at)
    else if (this.#book.size() === 0) {
      this.#book.closed()
      await this.ctx.storage.deleteAll()
    }
  }

  #begin(id: string, armed: Promise<void>): void {
    const work = armed
      .then(async () => this.#work(id))
      .catch((error: unknown) =>
        // It waits until its lease ends.
        log('error', 'a delivery has to wait', { deliveryId: id, ...describeError(error) }),
      )
      .finally(() => this.#underWay.delete(id))
      .then(async () => this.#goOn())
      .catch((error: unknown) => {
        // The sweep finds the deliveries that this object leaves behind.
        log('error', 'a webhook endpoint could not go on', describeError(error))
      })
    this.#underWay.set(id, work)
  }

  /** Handles the end of a lease: the process of the attempt has died, or it is this one and D1 is slow. */
  #reclaim({ id, sending }: BookEntry, now: number): void {
    if (this.#underWay.has(id)) {
      this.#book.lease(id, now + leaseMs)
      return
    }
    if (sending) {
      const error = 'Interrupted: it is not known whether it arrived'
      const result = { statusCode: null, durationMs: now - sending.at, error, response: '' }
      this.#note(id, sending, { ...result, interrupted: true })
    }
    this.#book.wait(id, now)
  }

  async #work(id: string): Promise<void> {
    const entry = this.#book.find(id)
    if (entry && !entry.outcome) await this.#attempt(id)
    await this.#record(id)
  }

  async #attempt(id: string): Promise<void> {
    const found = await findDeliveryToSend(this.env.DB, id)
    if (found?.status !== 'pending') {
      this.#book.remove(id)
      return
    }
    const now = Date.now()
    // A repeated message may have been read before the last attempt was recorded, so its time is out of date.
    if (found.dueAt !== null && found.dueAt > now) {
      this.#book.wait(id, found.dueAt)
      return
    }
    const note = {
      number: found.attemptCount + 1,
      round: found.roundStart,
      roundAt: found.roundAt,
      redelivery: found.roundStart > 0,
      isTest: found.type === testEventType,
      at: now,
    }
    this.#book.noteSending(id, note)
    const webhook = { ...found, id: found.eventId, secrets: goodSecrets(found, note.at) }
    const sent = await sendWebhook(webhook, addressPolicy(this.#settings), this.#settings)
    this.#note(id, note, sent)
  }

  #note(
    id: string,
    { number, round, roundAt, redelivery, isTest = false, at }: SendingNote,
    sent: DeliveryAnswer & Omit<DeliveryAttempt, 'at' | 'redelivery'> & Pick<SentWebhook, 'logged'>,
  ): void {
    const { statusCode, durationMs, error } = sent.logged ?? sent
    const { response } = sent
    const next = decideDelivery(sent, {
      attempt: number - round,
      scheduleMs: isTest ? [0] : this.#settings.webhookScheduleMs,
      now: Date.now(),
      random: Math.random,
    })
    const entry = { at: timestamp(at), statusCode, durationMs, error, response, redelivery }
    this.#book.noteOutcome(id, { number, round, roundAt, entry, next })
  }

  /** Records a result in D1. Until D1 has it, it stays in the book and the delivery is not sent again. */
  async #record(id: string): Promise<void> {
    const outcome = this.#book.find(id)?.outcome
    if (!outcome) return
    const now = await recordAttempt(this.env.DB, id, outcome, Date.now())
    this.#book.forgetOutcome(id)
    if (now?.status === 'pending') this.#book.wait(id, now.dueAt ?? Date.now())
    else this.#book.remove(id)
  }
}

function goodSecrets(found: DeliveryToSend, now: number): string[] {
  const { secret, previousSecret, previousExpiresAt } = found
  return previousSecret !== null && (previousExpiresAt ?? 0) > now
    ? [secret, previousSecret]
    : [secret]
}

/** The object for this account and for the origin of this address. */
export function webhookEndpoint(
  env: Env,
  accountId: string,
  url: string,
): DurableObjectStub<WebhookEndpoint> {
  // wrangler.toml binds WEBHOOK_ENDPOINT to the class above.
  const namespace = env.WEBHOOK_ENDPOINT as DurableObjectNamespace<WebhookEndpoint>
  return namespace.getByName(`${accountId} ${new URL(url).origin}`)
}

/** Gives a pending delivery to the object of its endpoint, or ends it if its schedule is long over. */
export async function handOver(
  env: Env,
  delivery: DeliveryToHandOver,
  now: number,
): Promise<OfferTaken | 'ended'> {
  const { id, accountId, url, status, dueAt, roundAt } = delivery
  if (status !== 'pending') return 'ended'
  if (isSpent(roundAt, readSettings(env).webhookScheduleMs, now)) {
    await markExhausted(env.DB, [id], now)
    return 'ended'
  }
  return webhookEndpoint(env, accountId, url).offer(id, dueAt ?? now)
}
