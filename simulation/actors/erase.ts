import type { World } from '../engine/world.ts'
import type { Answer } from './exchange.ts'

type Parts = {
  world: World
  videoId: string
  /** When the links in its events have to be made again. */
  linksExpireAt: unknown
  ask: (method: string, path: string, body?: unknown) => Promise<Answer | undefined>
  redelivering: (deliveryId: string) => void
  deletes: () => Promise<void>
}

/** The time after the request within which a deletion removes the transcript. */
const [firstMs, lastMs] = [60, 200]

/** Deletes a video, and asks for its webhook again just then, with links that have to be made again. */
export async function erase(parts: Parts): Promise<void> {
  const { ask, deletes, linksExpireAt, redelivering, videoId, world } = parts
  const { loop } = world
  if (typeof linksExpireAt === 'string')
    await loop.pause(Math.max(0, Date.parse(linksExpireAt) - loop.wall) + 1)
  const listed = await ask('GET', `/v1/webhooks/deliveries?videoId=${videoId}`)
  const { data } = JSON.parse(listed?.text ?? '{}') as { data?: { deliveryId: string }[] }
  const deliveryId = data?.[0]?.deliveryId ?? ''
  redelivering(deliveryId)
  const deleted = deletes()
  await loop.pause(firstMs + (lastMs - firstMs) * world.draw(`erases ${videoId}`))
  await ask('POST', `/v1/webhooks/deliveries/${deliveryId}/redeliver`, {})
  await deleted
}
