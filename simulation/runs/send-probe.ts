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
 * none of both stands still while the other goes on. Returns what looks at this later.
 */
export function sendProbe(simulation: Simulation): () => void {
  const { world, slots } = simulation
  const [later, , many] = simulation.accounts
  if (!many || !later) throw new Error('nobody has an account')
  const send = (account: Account, count: number, afterMs: number): Order[] =>
    Array.from({ length: count }, (_, i) =>
      simulation.order(account, {
        number: firstNumber + i,
        at: world.now + afterMs,
        plan: 'trusts',
      }),
    )
  const sent = send(many, 4 * slots, 0)
  const others = send(later, 3 * slots, 1_000)
  const from = world.loop.wall
  return () => {
    const begun = timesOf(simulation, sent)
    const firstMs = (begun[slots - 1] ?? Infinity) - from
    if (firstMs > withinMs)
      world.break(`it took ${firstMs} ms until all ${slots} slots were given out`)
    const one = { weight: many.weight, begun }
    const other = { weight: later.weight, begun: timesOf(simulation, others) }
    const turns = Math.max(...[mostWhileStill(one, other, from), mostWhileStill(other, one, from)])
    if (turns > 2 * slots + 1) {
      world.break(`an account had ${turns} turns while another waited for one`)
    }
  }
}

function timesOf({ database }: Simulation, orders: readonly Order[]): number[] {
  const begunAt = ({ videoId = '' }: Order): number => {
    const [job] = database.read('SELECT started_at AS at FROM jobs WHERE video_id = ?', videoId)
    return Number(job?.['at'] ?? Infinity)
  }
  return orders.map(begunAt).sort((a, b) => a - b)
}

type Share = { weight: number; begun: readonly number[] }

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
