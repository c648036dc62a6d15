import type { Weather } from '../engine/faults.ts'
import { Life } from '../engine/life.ts'
import type { Simulation } from './simulation.ts'

const againMs = 20_000
const share = 0.3
/** An isolate learns of a budget after half a minute, and a request that has passed may be stored later. */
const knownMs = 120_000
/** For longer than this, customers try again. */
const longestMs = 2_400_000

/**
 * In some storms, the operator gives one account a budget that is used up already, and removes it before the storm is over. Its
 * customers are refused until then, and get their videos afterwards.
 */
export function changeBudgets(simulation: Simulation, storms: readonly Weather[]): void {
  const { world, accounts, operator, refusals } = simulation
  const [, account] = accounts
  if (!account) throw new Error('nobody has an account')
  const { accountId, name } = account
  const life = new Life('operator')
  const change = async (budget: number | null): Promise<void> => {
    const command = { command: 'accounts.change', accountId, budget }
    while (!(await operator.command(command).then(Boolean, () => false))) {
      await world.loop.pause(againMs)
    }
    const isRefused = budget !== null
    world.history.note('operator', `${isRefused ? 'ends' : 'lifts'} the budget of ${name}`)
    refusals.changed(accountId, isRefused ? knownMs + world.lateMs : undefined)
  }
  for (const { from, until } of storms) {
    const key = `budget in the storm of ${from}`
    if (world.draw(key) >= share) continue
    const at = async (when: number, budget: number | null): Promise<void> => {
      await world.loop.pause(when - world.now)
      if (budget === null) refusals.changed(accountId, undefined)
      await world.run(life, key, async () => change(budget))
    }
    const lifted = Math.min(until, from + longestMs)
    void at(from, 0).then(async () => at(lifted, null))
  }
}
