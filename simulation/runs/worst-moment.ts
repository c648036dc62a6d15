import type { Order } from '../actors/customer.ts'
import type { Fault, Mishap } from '../engine/faults.ts'
import type { World } from '../engine/world.ts'
import type { Bucket } from '../platform/bucket.ts'
import type { Deployment } from '../platform/deployment.ts'
import type { Sent } from '../platform/network.ts'

/** The mishaps that leave work under way of which the object of a job does not know. */
const halfDone = new Set<Mishap>([
  'sender dies',
  'statement slow',
  'statement unanswered',
  'bucket slow',
  'statement answered late',
  'bucket answered late',
  'call slow',
  'call answered late',
  'object moves',
  'media worker shut down',
])
/** How often a customer cancels at such a moment. */
const share = 0.3
const withinMs = 20_000
/** The time from a customer's cancel until the service has read the row that it is about to end. */
const cancelTakes = { leastMs: 10, mostMs: 80 }
/** How often a video is renamed, or deleted, while it goes to the archive. */
const renames = 0.25
const deletes = 0.35
/** How often it is renamed, and the next sweep overtakes the one that has read it before. */
const overtakes = 0.5
/** A row that has changed rests for a minute before it leaves the database. */
const restedMs = 70_000
/** How often a customer cancels while the first file is stored. */
const storing = 0.05
/** How often a video is deleted whose result another one is about to get, and how much earlier at most. */
const takesAway = 0.35
const takenMs = 70

/**
 * Lets customers cancel at the worst moment: when something has just gone wrong with the job and is not mended yet; and between
 * two steps of a cancel, when a statement arrives whose sender has died.
 */
export function cancelAtWorstMoment(
  world: World,
  orders: readonly Order[],
): (fault: Fault) => void {
  return ({ id, mishap, key }) => {
    if (!halfDone.has(mishap) || world.draw(`worst moment of ${id}`) >= share) return
    const jobId = /\bj_\w+/.exec(key)?.[0]
    if (jobId === undefined) return
    const drawn = world.draw(`how long after ${id}`)
    const isAimed = mishap === 'sender dies' && world.draw(`aims at ${id}`) < 0.7
    const { leastMs, mostMs } = cancelTakes
    const afterMs = isAimed
      ? world.outlivedMs(key) - leastMs - (mostMs - leastMs) * drawn
      : 100 + withinMs * drawn ** 4
    world.loop.in(afterMs, () => void orders.find((one) => one.jobId === jobId)?.cancelNow())
  }
}

/** Told of each object that is written. The archive has got the first one of a video, and its rows are still there. */
export function changeAtWorstMoment(
  world: World,
  orders: readonly Order[],
  service: () => { bucket: Pick<Bucket, 'holdBack'>; deployment: Pick<Deployment, 'tick'> },
): (key: string) => void {
  const written = new Map<string, number>()
  return (key) => {
    const jobId = /^archive\/.*\/jobs\/(j_\w+)$/.exec(key)?.[1]
    if (jobId === undefined) return
    // A renamed video goes to the archive later. Drawn each time, or one video would be renamed for ever.
    const before = written.get(key) ?? 0
    written.set(key, before + 1)
    const drawn = world.draw(`worst moment of ${key}${before > 0 ? ` ${before}` : ''}`)
    if (drawn >= overtakes) return
    const order = orders.find((one) => one.jobId === jobId)
    if (drawn < renames) return void order?.rename()
    if (drawn >= deletes) {
      const { bucket, deployment } = service()
      bucket.holdBack(key.replace(/jobs\/.*/, `videos/${order?.videoId ?? ''}.json`))
      world.loop.in(restedMs, () => void deployment.tick())
      return void order?.rename()
    }
    // A video that is archived in the same turn is written a little later.
    const others = orders.filter((one) => one !== order && one.account === order?.account)
    void others[Math.floor((others.length * (drawn - renames)) / (deletes - renames))]?.deleteNow()
  }
}

/**
 * Told of each request before it reaches the service. A media worker tells what it has fetched, and the same was made before: just
 * then its customer deletes that video. Or it asks where to store a file, and its customer cancels. Then the service answers it.
 */
export function interfereAtWorstMoment(
  world: World,
  orders: readonly Order[],
  service: Pick<Deployment, 'answer'>,
): Deployment['answer'] {
  const interfere = async ({ url, text }: Sent) => {
    const stored = /\b(j_\w+)\/attempts\/\d+\/reports\/outputs$/.exec(url)?.[1]
    if (stored !== undefined && world.draw(`worst moment of what ${stored} stores`) < storing)
      void orders.find((one) => one.jobId === stored)?.cancelNow()
    if (text.includes('"type":"succeeded"')) void switchEndpoint(world, orders, url)
    if (!text.includes('"type":"fetched"')) return
    const jobId = /\bj_\w+/.exec(url + text)?.[0]
    const drawn = world.draw(`worst moment of what ${jobId ?? ''} has fetched`) / takesAway
    const own = drawn < 1 ? orders.find((one) => one.jobId === jobId) : undefined
    const same = own && orders.findLast((one) => one !== own && one.hasSameFilm(own))
    if (!same) return
    void same.deleteNow()
    await world.loop.pause(takenMs * drawn)
  }
  return async (sent) => interfere(sent).then(async () => service.answer(sent))
}

/** How often an endpoint is switched off just before an end that it would hear of, and for how long at most. */
const switchedOff = 0.15
const offWithinMs = 150
const offMs = 20_000

async function switchEndpoint(world: World, orders: readonly Order[], url: string): Promise<void> {
  const jobId = /\bj_\w+/.exec(url)?.[0]
  const { switchEndpoint: turn } = orders.find((one) => one.jobId === jobId)?.account ?? {}
  const drawn = world.draw(`worst moment of the end of ${url}`) / switchedOff
  if (!turn || drawn >= 1) return
  await world.loop.pause(offWithinMs * drawn)
  await turn(false)
  for (let isOn = false; !isOn;) {
    await world.loop.pause(offMs * world.draw(`how long an endpoint is off for ${url}`))
    isOn = (await turn(true))?.status === 200
  }
}

/** A copy comes late enough for another attempt to have followed, but before its signature expires. */
const latestCopyMs = 8 * 60_000
const copied = 0.5

/** Told of each request before it reaches the service. What a media worker asks or tells may come once more, and nobody hears that answer. */
export function repeatLate(
  world: World,
  service: Pick<Deployment, 'answer'>,
): Deployment['answer'] {
  let count = 0
  const repeat = async (sent: Sent, key: string): Promise<void> => {
    await world.loop.pause(latestCopyMs * world.faults.degree('request twice', key) ** 3)
    await service.answer(sent).catch(() => undefined)
  }
  return async (sent) => {
    const { pathname } = new URL(sent.url)
    const key = `${pathname} ${++count}`
    const mayCome = pathname.startsWith('/internal/jobs/') && world.draw(`copy of ${key}`) < copied
    if (mayCome && world.faults.strikes('request twice', key)) void repeat(sent, key)
    return service.answer(sent)
  }
}
