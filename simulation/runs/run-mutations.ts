import { StopWithMessage } from '../../scripts/machine/stop-with-message.ts'
import { mutations } from '../mutations/mutation-list.ts'
import type { Planted } from '../mutations/planted.ts'
import { runSeed } from './run-seed.ts'
import type { Settings } from './settings.ts'
import { startProgram } from './start-program.ts'

/** The seed with which a planted fault was found, and the promise that it broke. */
type Found = { seed: number; broken: string }

/** The seeds that one process can try in less than ten minutes. */
const mostSeeds = 200

/** Plants a fault into the service, and tries one seed after another until a promise is broken. */
export async function findPlanted(planted: Planted, most: number): Promise<Found | undefined> {
  const started = await startProgram([planted])
  const { days = 1, seed: first = 1 } = planted
  for (let seed = first; seed < first + most; seed++) {
    const { broken } = await runSeed(started, { seed, days })
    if (broken[0] !== undefined) return { seed, broken: broken[0] }
  }
  return undefined
}

/** The planted faults whose names contain this text. */
export function plantedWith(text: string): readonly Planted[] {
  const found = mutations.filter(({ name }) => name.includes(text))
  if (found.length === 0) throw new StopWithMessage(`No planted fault is named "${text}".`, 2)
  return found
}

/** Plants one fault after the other. Returns 1 if one was not found. */
export async function runMutations(
  settings: Settings,
  say: (line: string) => void,
): Promise<number> {
  const all = plantedWith(settings.plants ?? '')
  let found = 0
  for (const planted of all) {
    const begunAt = performance.now()
    const result = await findPlanted(planted, settings.mostSeeds ?? mostSeeds)
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(0)
    const how = result ? `seed ${result.seed}: ${result.broken}` : 'NOT FOUND'
    say(`${planted.name}\n  ${how} (${seconds} s)`)
    if (result) found++
  }
  say(`${found} of ${all.length} planted faults were found`)
  return found === all.length ? 0 : 1
}
