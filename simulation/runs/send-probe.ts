import type { Account } from '../actors/account.ts'
import type { Order } from '../actors/customer.ts'
import type { Simulation } from './simulation.ts'

/** The first number of the probe's orders, whose names must differ from those of others. */
const firstNumber = 10_000
const withinMs = 90_000
/** By this time the second account has ordered. */
const contestedMs = 3_000
/** If a media worker takes nothing more from an account, others pass it for 15 s. */
const passedMs = 20_000
/** By this time all slots are given out, and many jobs wait. */
const luckAfterMs = 12_000
/** By this time what has gone wrong is mended, and many still wait. */
const nextLuckMs = 75_000
/** A turn whose job does not answer takes 45 s. */
const mostIdleMs = 40_000

/** Far less than the time until the next check. */
const heldMs = 2_000
const noticedMs = 20_000

/**
 * A probe while nothing fails: one account fills all slots several times over, and a second one comes a moment later. Every
 * slot must be given out at once, the second account must not wait for the whole line of the first, and from then on neither
 * may stand still while the other goes on, or fall behind its weight. Returns a function that checks this later.
 */
export function sendProbe(simulation: Simulation): () => void {
  const { world, slots } = simulation
  const [later, , , many] = simulation.accounts
  if (!many || !later) throw new Error('nobody has an account')
  const send = (account: Account, count: number, afterMs: number): Order[] =>
    Array.from({ length: count }, (_, i) =>
      simulation.order(account, {
        number: firstNumber + i,
        at: world.now + afterMs,
        plan: 'trusts',
      }),
    )
  const sent = send(many, 3 * slots + 2, 0)
  const others = send(later, 2 * slots + 1, 1_000)
  const from = world.loop.wall
  for (const time of [0, 1])
    world.loop.in(luckAfterMs + time * nextLuckMs, () => tryLuck(simulation, time))
  return () => {
    const idleMs = longestIdle(simulation, { orders: [...sent, ...others], from })
    if (idleMs > mostIdleMs) world.break(`a slot was idle for ${idleMs} ms, and somebody waited`)
    const one = shareOf(simulation, many, sent, from)
    const other = shareOf(simulation, later, others, from)
    // Where a container of before has not gone yet, the second account may get the last slot.
    const begun = [...one.begun, ...other.begun].sort((a, b) => a - b)
    const firstMs = (begun[slots - 1] ?? Infinity) - from
    if (firstMs > withinMs)
      world.break(`it took ${firstMs} ms until all ${slots} slots were given out`)
    const turns = Math.max(...[mostWhileStill(one, other, from), mostWhileStill(other, one, from)])
    if (turns > 2 * slots + 1) {
      world.break(`an account had ${turns} turns while another waited for one`)
    }
    const lag = mostBehind(one, other, from + contestedMs)
    // A media worker with room for slow sources takes only a few jobs of one account.
    if (simulation.containers && lag > slots + 2) {
      world.break(
        `an account of weight ${one.weight} fell ${lag} turns behind one of weight ${other.weight}`,
      )
    }
  }
}

type Luck = (simulation: Simulation) => void

/** The single mishaps that may happen while all slots are given out and many jobs wait. */
const lucksOfAll: readonly Luck[] = [
  /** The dispatcher is moved. */
  ({ deployment }) => {
    for (const cell of deployment.objects.DISPATCHER.cells.values()) cell.die()
  },
  /** A job is called but does not hear it. */
  ({ deployment, world }) => {
    world.faults.noteHarm()
    deployment.objects.JOB_RUNNER.meet('answerCall', async () => {
      throw new Error('Network connection lost.')
    })
  },
  /** A job is called just as its customer cancels. */
  ({ deployment, orders, world }) => {
    deployment.objects.JOB_RUNNER.meet('answerCall', async (jobId) => {
      void orders.find((one) => one.jobId === jobId)?.cancelNow()
      await world.loop.pause(heldMs)
    })
  },
]
const lucksOfContainers: readonly Luck[] = [
  ({ containers }) => {
    if (containers) containers.nextIsSlow = true
  },
  ({ containers }) => {
    if (containers) containers.nextIsOlder = true
  },
  stopContainer,
]

function tryLuck(simulation: Simulation, time: number): void {
  const { containers, world } = simulation
  const lucks = containers ? [...lucksOfContainers, ...lucksOfAll] : lucksOfAll
  // Two in a row are never the same.
  const first = Math.floor(lucks.length * world.draw('luck of the probe'))
  const more = 1 + Math.floor((lucks.length - 1) * world.draw('next luck of the probe'))
  lucks[(first + time * more) % lucks.length]?.(simulation)
}

/** Stops a container during its work. Its object notices at once, and not only at its next check. */
function stopContainer({ containers, database, promises, world }: Simulation): void {
  const open = database.read<{ id: string; fence: number }>(
    'SELECT job_id AS id, fence FROM job_attempts WHERE finished_at IS NULL',
  )
  const one = open.find(({ id, fence }) => promises.isAlive(`${id}/${fence}`))
  const container = containers?.running.find(({ name }) => name === one?.id)
  if (!one || !container) return
  world.faults.noteHarm()
  container.stop()
  world.loop.in(noticedMs, () => {
    const sql =
      'SELECT job_id FROM job_attempts WHERE job_id = ? AND fence = ? AND finished_at IS NULL'
    if (database.read(sql, one.id, one.fence).length > 0)
      world.break(`the container of ${one.id} has stopped, and nobody has noticed`)
  })
}

/** The longest time for which a slot was free while one of these jobs waited. When a deleted video was at work is not known. */
function longestIdle(
  { database, slots }: Simulation,
  { orders, from }: { orders: readonly Order[]; from: number },
): number {
  const jobs = orders.flatMap(({ videoId = '' }) =>
    database.read<{ came: number; left: number }>(
      'SELECT created_at AS came, coalesce(started_at, finished_at) AS left FROM jobs WHERE video_id = ?',
      videoId,
    ),
  )
  if (jobs.length < orders.length) return 0
  const attempts = database.read<{ began: number; ended: number }>(
    'SELECT started_at AS began, finished_at AS ended FROM job_attempts WHERE finished_at > ?',
    from,
  )
  const changes = [
    ...jobs.flatMap(({ came, left }) => [
      { at: came, waits: 1, works: 0 },
      { at: left, waits: -1, works: 0 },
    ]),
    ...attempts.flatMap(({ began, ended }) => [
      { at: began, waits: 0, works: 1 },
      { at: ended, waits: 0, works: -1 },
    ]),
  ]
  let [waits, works, idleSince, longest] = [0, 0, Infinity, 0]
  for (const change of changes.toSorted((a, b) => a.at - b.at)) {
    longest = Math.max(longest, change.at - idleSince)
    waits += change.waits
    works += change.works
    if (waits === 0 || works >= slots) idleSince = Infinity
    else idleSince = Math.min(idleSince, change.at)
  }
  return longest
}

/** `until`: when the last job began that had been ordered by the time of the contest. */
type Share = { weight: number; begun: readonly number[]; until: number }

function shareOf(
  { database }: Simulation,
  { weight }: Account,
  orders: readonly Order[],
  from: number,
): Share {
  const times = orders.flatMap(({ videoId = '' }) => {
    const [job] = database.read<{ came: number; began: number | null }>(
      'SELECT created_at AS came, started_at AS began FROM jobs WHERE video_id = ?',
      videoId,
    )
    return job ? [{ came: job.came, began: job.began ?? Infinity }] : []
  })
  const early = times.filter(({ came, began }) => came < from + contestedMs && began < Infinity)
  return {
    weight,
    begun: times.map(({ began }) => began).sort((a, b) => a - b),
    until: Math.max(from, ...early.map(({ began }) => began)),
  }
}

/** How many turns of weight 1 the first account had at most while the other had jobs waiting but none beginning. */
function mostWhileStill(one: Share, other: Share, from: number): number {
  const times = [from + contestedMs, ...other.begun.filter((at) => at > from + contestedMs)]
  const turns = times.slice(1).map((until, i) => {
    const since = times[i] ?? from
    if (until - since < passedMs) return 0
    return one.begun.filter((at) => at > since && at < until).length / one.weight
  })
  return Math.max(0, ...turns)
}

/** How many turns of weight 1 the second account got at most beyond those of the first, while jobs of both waited. */
function mostBehind(one: Share, other: Share, from: number): number {
  const until = Math.min(one.until, other.until)
  const contested = ({ begun }: Share) => begun.filter((at) => at > from && at <= until)
  const [mine, theirs] = [contested(one), contested(other)]
  const lags = theirs.map((at, i) => {
    const own = mine.filter((begunAt) => begunAt <= at).length
    return (i + 1) / other.weight - own / one.weight
  })
  return Math.max(0, ...lags)
}
