import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Deployment } from '../platform/deployment.ts'
import type { Account } from './account.ts'
import type { Containers } from './media/containers.ts'
import type { Exchange } from './exchange.ts'
import { unevenFilmInParts } from './media/film-parts.ts'

type Sending = {
  bucket: Bucket
  containers: Containers | undefined
  deployment: Deployment
  exchange: Exchange
  /** `lent`: how many slots are. */
  slotWatch: { readonly lent: number; expectTold: () => void }
  world: World
}
type Part = { slot: number; state: string; startedAt: number }
type Mishap = (sending: Sending) => Promise<void> | void

const secondMs = 1_000
/** By this time the film has got its slots, if there are any. */
const lentWithinSeconds = 300
/** By this time its parts are being made. */
const underWayMs = 8_000
const mostStepMs = 8 * 60_000
/** Far less than a lease. */
const noticedMs = 6_000

/** What goes wrong alone while the film is made. */
const mishaps: readonly Mishap[] = [
  /** A container does not receive the request to end. */
  ({ deployment, world }) =>
    deployment.objects.JOB_RUNNER.meet('releaseSlot', async () => {
      world.faults.noteHarm()
      throw new Error('Network connection lost.')
    }),
  ({ bucket }) => bucket.failSoon(),
  stepClocks,
  stopPart,
]

/**
 * A film whose parts take different times, while nothing else is made and one thing goes wrong: the bucket refuses the result at
 * first, the clocks step, the container of a part stops, or it is not ended with its part and has to find out by itself. No slot may
 * stay with the film in vain, those that it has are told of, and no attempt may be lost.
 */
export async function sendUnevenFilm(sending: Sending, { name, key }: Account): Promise<void> {
  const { exchange, world } = sending
  const mishap = mishaps[Math.floor(mishaps.length * world.draw('luck of the uneven film'))]
  void mishap?.(sending)
  const body = { fileUrl: `https://sources.example.com/${unevenFilmInParts}.mp4`, reuse: false }
  await exchange.ask({ who: `${name} unevenly`, method: 'POST', path: '/v1/videos', key, body })
}

async function untilMade({ slotWatch, world }: Sending): Promise<boolean> {
  const { loop } = world
  for (let seconds = 0; seconds < lentWithinSeconds && slotWatch.lent === 0; seconds++)
    await loop.pause(secondMs)
  await loop.pause(underWayMs)
  return slotWatch.lent > 0
}

/** Leases seem to last, or are over; the film tells all the same which slots it has. */
async function stepClocks(sending: Sending): Promise<void> {
  const { deployment, slotWatch, world } = sending
  if (!(await untilMade(sending))) return
  world.faults.noteHarm('clock steps')
  deployment.stepClock(Math.round((world.draw('step of the film') - 0.7) * mostStepMs))
  slotWatch.expectTold()
}

/** The lead of the film hears at once that a part is lost. */
async function stopPart(sending: Sending): Promise<void> {
  const { containers, deployment, world } = sending
  if (!containers || !(await untilMade(sending))) return
  const runningIn = (name: string): Part | undefined => {
    const [jobId = '', slot] = name.split(':')
    const kv = deployment.storageOf('JOB_RUNNER', jobId)?.kv
    const parts = [...(kv?.list({ prefix: 'part/' }) ?? [])].map(([, part]) => part as Part)
    return parts.find((part) => `${part.slot}` === slot && part.state === 'running')
  }
  // An object that was moved hears of its container when it looks again.
  const isWatched = (name: string): boolean =>
    deployment.objects.JOB_RUNNER.cells.get(name)?.isAwake === true
  const found = containers.running.find(({ name }) => isWatched(name) && runningIn(name))
  if (!found) return
  const { name } = found
  const part = runningIn(name)
  world.faults.noteHarm('media worker dies')
  found.stop()
  world.loop.in(noticedMs, () => {
    if (runningIn(name)?.startedAt === part?.startedAt)
      world.break(`the container ${name} has stopped, and its part is said to go on`)
  })
}
