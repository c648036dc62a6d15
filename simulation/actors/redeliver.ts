import type { World } from '../engine/world.ts'
import type { Answer } from './exchange.ts'

/** A webhook that was asked for again, and when. */
export type Redelivered = { deliveryId: string; at: number; wall: number }

type Parts = {
  world: World
  videoId: string
  drawn: (what: string) => number
  ask: (method: string, path: string, body?: unknown) => Promise<Answer | undefined>
  redelivering: (deliveryId: string) => void
}

/** Asks for a webhook of the video again, as after an outage of the customer's server. */
export async function redeliver(parts: Parts): Promise<Redelivered | undefined> {
  const { ask, drawn, redelivering, videoId, world } = parts
  await world.loop.pause(1_800_000 * drawn('redeliver') ** 2)
  const listed = await ask('GET', `/v1/webhooks/deliveries?videoId=${videoId}`)
  if (listed?.status !== 200) return undefined
  const { data } = JSON.parse(listed.text) as { data: { deliveryId: string }[] }
  const deliveryId = data[0]?.deliveryId
  if (deliveryId === undefined) return undefined
  const { now: at, loop } = world
  const { wall } = loop
  const path = `/v1/webhooks/deliveries/${deliveryId}/redeliver`
  redelivering(deliveryId)
  const answer = await ask('POST', path, {})
  // Some customers are impatient, and ask while it is being sent.
  for (let again = 0; again < 4 && drawn(`again ${again}`) < 0.6; again++) {
    await loop.pause(8_000 * drawn(`again in ${again}`))
    await ask('POST', path, {})
  }
  return answer?.status === 202 ? { deliveryId, at, wall } : undefined
}
