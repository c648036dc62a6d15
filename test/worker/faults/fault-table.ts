import { beforeAll, describe, expect, it } from 'vitest'
import { forgetAll } from '../../../worker/contract/isolate-memory.ts'
import { aClient } from '../../support/worker/accounts.ts'
import { advanceSeconds } from '../../support/worker/clock.ts'
import { recordLog } from '../../support/worker/log-lines.ts'
import { standInForAll } from '../../support/worker/stand-ins.ts'
import { standInReceivers } from '../../support/worker/webhooks.ts'
import { faultsAt, pairsAt, type Fault } from './fault-points.ts'
import { keepHistory } from './found-run.ts'
import { findBroken, findOrphans } from './invariants.ts'
import type { Scenario } from './scenarios.ts'
import { watchEverything } from './watch-everything.ts'
import { tick } from '../../support/worker/tick.ts'
import { World, type StandIns } from './world.ts'

/** Every nth fault of a scenario, beginning with the first: tests of a few seconds, which tell where the table stands. */
type Part = { number: number; of: number }

/** Runs each scenario once for every fault at every point of it; `npm test` runs the first part of each. */
export function describeFaults(scenarios: readonly Scenario[]): void {
  const { media, queue } = standInForAll()
  const receivers = standInReceivers()
  beforeAll(keepHistory)

  describe('whatever step fails', () => {
    const runs = scenarios.flatMap((scenario) =>
      Array.from({ length: scenario.parts }, (_, i) => ({
        scenario,
        part: { number: i + 1, of: scenario.parts },
      })),
    )
    for (const { scenario, part } of runs) {
      const where = `part ${part.number} of ${part.of}`
      const tags = part.number === 1 ? [] : ['campaign']
      it(`keeps every promise to ${scenario.title}: ${where}`, { tags }, async () => {
        recordLog()
        const points = await watchEverything(queue.current, media.current)
        const client = await aClient()
        const standIns = {
          points,
          client,
          queue: queue.current,
          media: media.current,
          receivers: receivers.current,
        }
        expect(await breakEverywhere(standIns, scenario, part)).toEqual([])
      })
    }

    it('leaves no object behind that nothing refers to', async () => {
      for (let day = 0; day < 2; day++) {
        advanceSeconds(86_401)
        for (let minute = 0; minute < 3; minute++) await tick()
      }
      expect(await findOrphans()).toEqual([])
    })
  })
}

type Run = { label: string; world: World }

/** Every violation, with the name of the fault that caused it. */
async function breakEverywhere(
  standIns: StandIns,
  scenario: Scenario,
  part: Part,
): Promise<string[]> {
  const { points } = standIns
  const runs: Run[] = []
  const tryOut = async (fault?: Fault): Promise<string[]> => {
    const label = describeFault(fault)
    // What an isolate remembers would spare a run the steps at which it is to fail.
    forgetAll()
    const world = new World(standIns, scenario)
    await world.run(fault)
    runs.push({ label, world })
    if (fault && points.strikes < (fault.then ? 2 : 1)) return [`${label}: never came there`]
    const broken = await points.outside(async () => findBroken(world, scenario))
    return broken.map((what) => `${label}: ${what}`)
  }
  const broken = await tryOut()
  expect(broken).toEqual([])
  const steps = pointsOf(scenario, [...points.met])
  const faults = steps.flatMap((point) => faultsAt(point, scenario.mishaps))
  if (scenario.mishaps === 'all') faults.push(...pairsAt(steps))
  const own = faults.filter((_, i) => i % part.of === part.number - 1)
  for (const fault of own) broken.push(...(await tryOut(fault)))
  return [...broken, ...(await findRemembered(runs))]
}

function describeFault(fault: Fault | undefined): string {
  if (!fault) return 'no fault'
  const { point, mishap, then } = fault
  return `${mishap} ${point}${then ? `, and ${then.mishap} ${then.steps} steps later` : ''}`
}

/** The points to fail at: those that only this scenario has. */
function pointsOf({ from, until }: Scenario, met: readonly string[]): string[] {
  const begin = met.indexOf(from)
  const end = until === undefined ? met.length : met.indexOf(until)
  if (begin < 0 || end < begin)
    throw new Error(`no ${from}, or no ${until}, in:\n${met.join('\n')}`)
  return met.slice(begin, end)
}

/**
 * The state that objects still keep an hour after the end. An object that died before it could remember the end learns
 * of it when its lease runs out, and has an hour from then; checked as late as here, its media worker first gets extra
 * time to report.
 */
async function findRemembered(runs: readonly Run[]): Promise<string[]> {
  let rest = runs.flatMap(({ label, world: { job, endpoint } }) =>
    [job, endpoint].flatMap((object) => (object ? [{ label, object, kept: [''] }] : [])),
  )
  for (let hour = 0; hour < 3; hour++) {
    advanceSeconds(3601)
    for (const one of rest) {
      await one.object.wake()
      one.kept = await one.object.memory()
    }
    rest = rest.filter(({ kept }) => kept.length > 0)
  }
  return rest.map(({ label, kept }) => `${label}: its object keeps ${kept.join()}`)
}
