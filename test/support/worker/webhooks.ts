import { runDurableObjectAlarm } from 'cloudflare:test'
import { eq } from 'drizzle-orm'
import { beforeEach, vi } from 'vitest'
import { webhookEndpoint, type WebhookEndpoint } from '../../../worker/durable/webhook-endpoint.ts'
import { openDatabase } from '../../../worker/store/database.ts'
import { webhookDeliveries, type DeliveryRow } from '../../../worker/store/tables/tables.ts'
import { bindings } from './bindings.ts'
import type { Client } from './client.ts'
import { advanceSeconds } from './clock.ts'
import { deliver, type QueueOutcome } from './job-queue.ts'
import { standIns } from './stand-ins.ts'
import { aVideo, eventRows } from './videos.ts'

export const hooksUrl = 'https://hooks.example.com/spool'

export type Received = {
  at: number
  url: string
  redirect: string
  headers: Headers
  body: string
}

/** Stands in for every receiver: stores what arrives, and answers as a test says, with 200 by default. */
export class Receivers {
  readonly received: Received[] = []
  answer: (request: Request, count: number) => Response | Promise<Response> = () =>
    new Response('ok')

  async take(request: Request): Promise<Response> {
    const { url, redirect, headers } = request
    this.received.push({
      at: Date.now(),
      url,
      redirect,
      headers,
      body: await request.clone().text(),
    })
    return this.answer(request, this.received.length)
  }
}

/** Register it after the media workers, because it extends their fetch. */
export function standInReceivers(): { current: Receivers } {
  const receivers = { current: new Receivers() }
  beforeEach(() => {
    receivers.current = new Receivers()
    standIns().media.current.answerElsewhere = async (request) => receivers.current.take(request)
    // No jitter, unless a test asks for it.
    vi.spyOn(Math, 'random').mockReturnValue(0)
  })
  return receivers
}

/** Ends an attempt's time as soon as it waits for anything; returns the time that the attempts were given, in ms. */
export function letTimeRunOut(): number[] {
  const given: number[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    given.push(ms)
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 0)
    return controller.signal
  })
  return given
}

/** A receiver that takes the request and never answers. */
export async function hang({ signal }: Request): Promise<Response> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('aborted'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })
}

type EndedVideo = { videoId: string; deliveryId: string; webhookId: string }

/** The quickest way to an event: a video that is canceled. */
export async function anEvent(client: Client, webhookUrl = hooksUrl): Promise<EndedVideo> {
  const { videoId } = await aVideo(client, { webhookUrl })
  const canceled = await client.post(`/v1/videos/${videoId}/cancel`)
  if (canceled.status !== 200) throw new Error(canceled.text)
  return eventOf(videoId)
}

export async function eventOf(videoId: string): Promise<EndedVideo> {
  const [event] = await eventRows(videoId)
  const row = await openDatabase(bindings.DB)
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.eventId, event?.id ?? ''))
    .get()
  if (!event || !row) throw new Error(`${videoId} has no event`)
  return { videoId, deliveryId: row.id, webhookId: event.id }
}

export async function deliveryRow(deliveryId: string): Promise<DeliveryRow> {
  const rows = openDatabase(bindings.DB).select().from(webhookDeliveries)
  const row = await rows.where(eq(webhookDeliveries.id, deliveryId)).get()
  if (!row) throw new Error(`there is no ${deliveryId}`)
  return row
}

export function endpointOf(client: Client, url = hooksUrl): DurableObjectStub<WebhookEndpoint> {
  return webhookEndpoint(bindings, client.accountId, url)
}

export async function handOut(deliveryId: string): Promise<QueueOutcome> {
  return deliver({ kind: 'deliver', deliveryId }, 'spool-webhooks')
}

/** Delivers the message and waits until everything that it causes is done. */
export async function send(
  client: Client,
  deliveryId: string,
  url = hooksUrl,
): Promise<DeliveryRow> {
  await handOut(deliveryId)
  await endpointOf(client, url).settled()
  return deliveryRow(deliveryId)
}

/** Lets time pass, and runs the alarm of the endpoint if it is due. */
export async function wait(client: Client, seconds: number, url = hooksUrl): Promise<void> {
  advanceSeconds(seconds)
  const endpoint = endpointOf(client, url)
  await runDurableObjectAlarm(endpoint)
  await endpoint.settled()
}
