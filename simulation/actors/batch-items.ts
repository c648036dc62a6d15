import type { Account } from './account.ts'
import type { Order } from './customer.ts'
import { DirectUpload } from './direct-upload.ts'
import type { Exchange } from './exchange.ts'
import type { World } from '../engine/world.ts'

type Parts = {
  world: World
  exchange: Exchange
  /** The orders of all accounts, the oldest first. */
  orders: readonly Order[]
}
type Of = { name: string; account: Account }
type Item = Record<string, unknown>

/** The items of a batch, and what another program does about their sources while the batch is stored. */
export type BatchWish = {
  body: Record<string, unknown> & { items: Item[] }
  /** Whether a source may be gone by then, which refuses the whole batch. */
  mayBeRefused: boolean
  interfere: () => void
}

const soonMs = 80

/** Most videos of a batch have addresses. Some are made of a file that was just sent, or of the file of an earlier video. */
export async function batchItems(parts: Parts, of: Of): Promise<BatchWish> {
  const { world } = parts
  const { account, name } = of
  const { hook, storage } = account
  const drawn = (what: string): number => world.draw(`${name} ${what}`)
  const count = 2 + Math.floor(3 * drawn('items'))
  const destinations = [{ storage, key: '{videoId}/{name}.{extension}', keep: true }]
  const earlier = drawn('reuses') < 0.4 ? earlierOf(parts.orders, of, drawn) : undefined
  const uploadId = drawn('sends') < 0.3 ? await send(parts, of) : undefined
  const hasPreset = drawn('preset') < 0.25
  const token = name.replaceAll(' ', '-')
  const sources = [
    ...(uploadId === undefined ? [] : [{ uploadId }]),
    ...(earlier === undefined ? [] : [{ sourceVideoId: earlier.videoId }]),
  ]
  const items = Array.from({ length: count }, (_, i): Item => {
    const videoName = `${name}, item ${i}`
    return {
      ...(sources[i] ?? { fileUrl: `https://sources.example.com/${token}-${i}.mp4` }),
      ...(hasPreset ? { values: { title: videoName } } : { videoName }),
      ...(drawn(`delivered ${i}`) < 0.2 && { destinations }),
    }
  })
  const interfere = (): void => {
    const ms = soonMs * drawn('interferes after')
    if (earlier && drawn('takes away') < 0.5) world.loop.in(ms, () => void earlier.deleteNow())
    if (uploadId !== undefined) world.loop.in(ms, () => void rival(parts, of, uploadId))
  }
  const body = {
    items,
    ...(hasPreset && { preset: 'usual' }),
    ...(hook !== undefined && { webhookUrl: hook }),
  }
  return { body, mayBeRefused: sources.length > 0, interfere }
}

/** An earlier video of the same account whose file may still be kept. */
function earlierOf(
  orders: readonly Order[],
  { account }: Of,
  drawn: (what: string) => number,
): Order | undefined {
  const all = orders.filter((one) => one.account === account && one.uploadId && one.videoId)
  return all[Math.floor(all.length * drawn('earlier'))]
}

async function send({ world, exchange }: Parts, { account, name }: Of) {
  return new DirectUpload({ world, exchange }, { name, key: account.key }).send()
}

/** Another program of the customer deletes the upload, or makes a video of it by itself. */
async function rival({ world, exchange }: Parts, { account, name }: Of, uploadId: string) {
  const drawn = world.draw(`rival of ${name}`)
  const asking = { who: `${name} for the rival`, key: account.key }
  if (drawn < 0.25)
    await exchange.ask({ ...asking, method: 'DELETE', path: `/v1/uploads/${uploadId}` })
  if (drawn > 0.5)
    await exchange.ask({ ...asking, method: 'POST', path: '/v1/videos', body: { uploadId } })
}
