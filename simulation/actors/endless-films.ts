import type { World } from '../engine/world.ts'
import type { Account } from './account.ts'
import type { Exchange } from './exchange.ts'
import { Follower } from './follower.ts'
import { endlessFilm, endlessMs, stumblingFilm } from './media/told-of-work.ts'

type Sending = { world: World; exchange: Exchange; account: Account }

/** The last time is over between two ends of work. */
const othersAfterMs = 90_000

/**
 * Where jobs have little time, an account that may have one video at work sends films that take longer. Each is stopped when its
 * time is over, and the last has waited too long by then, which those see that look at reports and for what is late. Somebody follows
 * the first, of which hardly anything is told. Both attempts at one that comes later have the time of one job together.
 */
export async function sendEndlessFilms(
  { world, exchange, account }: Sending,
  { queueMs, jobMs }: { queueMs: number; jobMs: number },
): Promise<void> {
  if (jobMs > endlessMs) return
  const { name: customer, key } = account
  const name = `${customer} endlessly`
  const send = async (film: string, count: number): Promise<string> => {
    const items = Array.from({ length: count }, (_, i) => ({
      fileUrl: `https://sources.example.com/${film}-${count}-${i}.mp4`,
      reuse: false,
    }))
    const asked = { who: name, method: 'POST', path: '/v1/batches', key, body: { items } }
    const answer = await exchange.ask(asked)
    if (answer?.status !== 202) world.break(`a batch was answered ${answer?.status ?? 'nothing'}`)
    return /"videoIds":\["(\w+)"/.exec(answer?.text ?? '')?.[1] ?? ''
  }
  const path = `/v1/videos/${await send(endlessFilm, 1)}/events`
  void new Follower({ world, exchange }, { name, key, path }).follow()
  await world.loop.pause(othersAfterMs)
  await send(endlessFilm, queueMs / jobMs + 1)
  await world.loop.pause(queueMs + 2 * jobMs)
  await send(stumblingFilm, 1)
}
