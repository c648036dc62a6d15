import type { Weather } from '../engine/faults.ts'
import { Life } from '../engine/life.ts'
import type { Simulation } from './simulation.ts'

const againMs = 20_000
/** The share of storms in which a plan is changed. */
const share = 0.4

/** In some storms, the operator lowers the number of jobs that one account may have at work, and raises it afterwards. */
export function changePlans(simulation: Simulation, storms: readonly Weather[]): void {
  const { world, accounts, line, operator } = simulation
  const account = accounts.at(-1)
  if (!account) throw new Error('nobody has an account')
  const { accountId, name } = account
  const life = new Life('operator')
  const change = async (maxRunning: number | null): Promise<void> => {
    const command = { command: 'accounts.change', accountId, maxRunning }
    // If the command fails, the operator repeats it; a second time changes nothing.
    while (!(await operator.command(command).then(Boolean, () => false))) {
      await world.loop.pause(againMs)
    }
    line.planChanged()
    world.history.note(
      'operator',
      `lets ${name} have ${maxRunning ?? 'any number of'} jobs at work`,
    )
  }
  for (const { from, until } of storms) {
    const key = `plan in the storm of ${from}`
    if (world.draw(key) >= share) continue
    const most = 1 + Math.floor(2 * world.draw(`cap of ${key}`))
    const at = async (when: number, maxRunning: number | null): Promise<void> => {
      await world.loop.pause(when - world.now)
      await world.run(life, key, async () => change(maxRunning))
    }
    void at(from, most).then(async () => at(until, null))
  }
}
