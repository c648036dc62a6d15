import type { Account } from '../actors/account.ts'
import type { Order } from '../actors/customer.ts'
import type { Simulation } from './simulation.ts'

/** Their names are not those of orders. */
const firstNumber = 10_000
const withinMs = 90_000
/** By then the second account has come. */
const contestedMs = 3_000
/** An account of which a media worker takes nothing more lets others pass for 15 s. */
const passedMs = 20_000

/**
 * Now that nothing fails: one account fills all slots several times over, and a second one comes a moment later. Every slot
 * must be given out at once, the second account must not wait for the whole line of the first, and from then on
 * none of both stands still while the other goes on, nor falls behind its weight. Returns what looks at this later.
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
  return () => {
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

/** `until`: when the last job began that had come by the time of the contest. */
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

/** How many turns of weight 1 the first had at most while nothing of the other began, although something waited. */
function mostWhileStill(one: Share, other: Share, from: number): number {
  const times = [from + contestedMs, ...other.begun.filter((at) => at > from + contestedMs)]
  const turns = times.slice(1).map((until, i) => {
    const since = times[i] ?? from
    if (until - since < passedMs) return 0
    return one.begun.filter((at) => at > since && at < until).length / one.weight
  })
  return Math.max(0, ...turns)
}

/** How many turns of weight 1 the second got more than the first at most, while jobs of both waited. */
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
