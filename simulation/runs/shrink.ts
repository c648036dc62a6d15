import { runSeed, type Asked, type Outcome } from './run-seed.ts'
import type { Started } from './start-program.ts'

/** The smallest history found to fail in the same way: only these faults and orders. */
type Smallest = { faults: string[]; orders: number[]; outcome: Outcome; tried: number }

type Limits = { mostRuns: number; untilMs: number }

/** A broken promise without the ids and figures that differ from history to history. */
function shapeOf(broken: string | undefined): string {
  return (broken ?? '').replace(/\b(v|j|msg|dlv|a|we)_\w+/g, '…').replace(/\d+/g, '#')
}

/** Leaves out orders and faults, first half of them and finally single ones, as long as the same promise breaks. */
export async function shrink(
  started: Started,
  asked: Asked,
  failed: Outcome,
  limits: Limits,
): Promise<Smallest> {
  const shape = shapeOf(failed.broken[0])
  let tried = 0
  let best = failed
  const mayGoOn = (): boolean => tried < limits.mostRuns && Date.now() < limits.untilMs
  const fails = async (faults: string[], orders: number[]): Promise<boolean> => {
    tried++
    const only = { faults: new Set(faults), orders: new Set(orders) }
    const outcome = await runSeed(started, { ...asked, only })
    if (shapeOf(outcome.broken[0]) !== shape) return false
    best = outcome
    return true
  }
  const allFaults = [...new Set(failed.faults.map(({ id }) => id))]
  const allOrders = Array.from({ length: failed.orders }, (_, i) => i + 1)
  // A world with few orders takes less time, and leaves more of it for the faults.
  const orders = await fewest(allOrders, async (some) => fails(allFaults, some), mayGoOn)
  const faults = await fewest(allFaults, async (some) => fails(some, orders), mayGoOn)
  return { faults, orders, outcome: best, tried }
}

/** Takes parts away from the list while the rest still fails. */
async function fewest<Item>(
  all: readonly Item[],
  fails: (some: Item[]) => Promise<boolean>,
  mayGoOn: () => boolean,
): Promise<Item[]> {
  let left = [...all]
  for (let size = left.length; size >= 1 && mayGoOn(); size = Math.floor(size / 2)) {
    for (let from = 0; from < left.length && mayGoOn();) {
      const rest = [...left.slice(0, from), ...left.slice(from + size)]
      if (await fails(rest)) left = rest
      else from += size
    }
  }
  return left
}
