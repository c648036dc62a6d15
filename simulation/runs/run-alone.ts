import { createInterface } from 'node:readline/promises'
import type { Mutation } from '../engine/program.ts'
import { diaryOf, tellAll } from './diary.ts'
import { plantedWith } from './run-mutations.ts'
import { seedsGivenOut, seedsOf } from './run-side-by-side.ts'
import { runSeed, type Asked, type Outcome } from './run-seed.ts'
import type { Settings } from './settings.ts'
import { shrink } from './shrink.ts'
import { startProgram, type Started } from './start-program.ts'

type Say = (line: string) => void

const shrinkMs = 600_000
const shrinkRuns = 400

/** Runs one seed after another in this process; reduces the first history that fails to a smaller one, and tells it. */
export async function runAlone(settings: Settings, say: Say): Promise<number> {
  const started = await startProgram(plantedOf(settings))
  for await (const seed of settings.areGiven ? seedsGivenOut() : seedsOf(settings)) {
    const { days, only, comesLate } = settings
    const asked: Asked = { seed, days, only, comesLate }
    const begunAt = performance.now()
    const outcome = await runSeed(started, asked)
    const seconds = (performance.now() - begunAt) / 1000
    if (outcome.broken.length === 0) {
      say(`seed ${seed}: all promises kept. ${figuresOf(outcome)}, in ${seconds.toFixed(1)} s`)
      continue
    }
    await tellFailure(started, { asked, outcome, settings }, say)
    return 1
  }
  return 0
}

function plantedOf({ plants }: Settings): readonly Mutation[] {
  return plants === undefined ? [] : plantedWith(plants)
}

function figuresOf({ videos, faults, events, hash }: Outcome): string {
  return `${videos} videos, ${faults.length} faults, ${events} events, history ${hash.slice(0, 16)}`
}

type Failed = { asked: Asked; outcome: Outcome; settings: Settings }

async function tellFailure(
  started: Started,
  { asked, outcome, settings }: Failed,
  say: Say,
): Promise<void> {
  const { seed } = asked
  say(`seed ${seed}: BROKEN: ${outcome.broken[0]}`)
  say(`  ${figuresOf(outcome)}`)
  const limits = { mostRuns: shrinkRuns, untilMs: Date.now() + shrinkMs }
  if (!settings.shrinks) return say(`  ${commandOf(asked, settings)} --replay`)
  const smallest = await shrink(started, asked, outcome, limits)
  const { faults, orders, tried } = smallest
  const only = { faults: new Set(faults), orders: new Set(orders) }
  const told = await runSeed(started, { ...asked, only, keepsHistory: true })
  say(
    `  The smallest history found in ${tried} runs has ${faults.length} faults and ${orders.length} orders:`,
  )
  for (const line of diaryOf(told)) say(`    ${line}`)
  const which = `--only '${faults.join(',')}' --orders '${orders.join(',')}'`
  say(`  ${commandOf(asked, settings)} ${which} --replay`)
}

/** The beginning of the command that repeats a history. */
function commandOf({ seed, days, comesLate }: Asked, { plants }: Settings): string {
  const planted = plants === undefined ? '' : ` --plant '${plants}'`
  return `npm run simulate -- --seed ${seed} --days ${days}${comesLate === true ? ' --late' : ''}${planted}`
}

/** Tells the history of one seed. */
export async function replay(settings: Settings, say: Say): Promise<number> {
  const started = await startProgram(plantedOf(settings))
  const { seed, days, only, comesLate } = settings
  const outcome = await runSeed(started, { seed, days, only, comesLate, keepsHistory: true })
  const lines = settings.tellsAll ? tellAll(outcome) : diaryOf(outcome)
  const keys = process.stdin.isTTY ? createInterface({ input: process.stdin }) : undefined
  for (const line of lines) {
    say(line)
    if (keys) await keys.question('')
  }
  keys?.close()
  say(`${figuresOf(outcome)}: ${outcome.broken[0] ?? 'all promises kept'}`)
  return outcome.broken.length === 0 ? 0 : 1
}
