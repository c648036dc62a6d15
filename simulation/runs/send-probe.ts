import type { Account, Order } from '../actors/customer.ts'
import type { Simulation } from './simulation.ts'

/** Their names are not those of orders. */
const firstNumber = 10_000
const withinMs = 90_000
/** Answers are on their way, and a job that nobody takes lets others pass. */
const slack = 2

/**
 * Now that nothing fails: one account fills all slots several times over, and a second one comes a moment later. Every slot
 * must be given out at once, the second account must not wait for the whole line of the first, and from then on
 * they share the slots by their weights. Returns what looks at this later.
 */
export function sendProbe(simulation: Simulation): () => void {
  const { world, slots } = simulation
  const [many, , later] = simulation.accounts
  if (!many || !later) throw new Error('nobody has an account')
  const send = (account: Account, count: number, afterMs: number): Order[] =>
    Array.from({ length: count }, (_, i) =>
      simulation.order(account, {
        number: firstNumber + i,
        at: world.now + afterMs,
        plan: 'waits',
      }),
    )
  const sent = send(many, 4 * slots, 0)
  const others = send(later, 2 * slots, 1_000)
  const from = world.loop.wall
  return () => {
    const begun = timesOf(simulation, sent)
    const firstMs = (begun[slots - 1] ?? Infinity) - from
    if (firstMs > withinMs)
      world.break(`it took ${firstMs} ms until all ${slots} slots were given out`)
    const othersBegun = timesOf(simulation, others)
    const isContested = (at: number): boolean => at > from + 3_000
    const passed = begun.filter((at) => isContested(at) && at < (othersBegun[0] ?? 0)).length
    if (passed > slots + slack) world.break(`${passed} videos of one account passed all of another`)
    const one = { weight: many.weight, begun: begun.filter(isContested) }
    const other = { weight: later.weight, begun: othersBegun.filter(isContested) }
    const ahead = Math.max(mostAhead(one, other), mostAhead(other, one))
    if (ahead > slots + slack) world.break(`an account was ${ahead} turns ahead of another`)
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

/** By how many turns of weight 1 the first was ahead at most, while both had videos that waited. */
function mostAhead(one: Share, other: Share): number {
  const until = other.begun.at(-1) ?? 0
  const leads = one.begun
    .filter((at) => at <= until)
    .map((at, i) => {
      const others = other.begun.filter((theirs) => theirs <= at).length
      return (i + 1) / one.weight - others / other.weight
    })
  return Math.max(0, ...leads)
}
