import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import type { ToolContext } from '../../containers/ffmpeg/process/run-tool.ts'
import { describeMachine } from '../machine.ts'
import { toolsIn } from '../tools-in.ts'
import { childSeconds } from './child-seconds.ts'
import { engineJobs, type EngineJob } from './jobs.ts'
import { makeMaterial } from './material.ts'
import { planOf, prepareJob, renderCommands, renderOurs } from './render-job.ts'
import { readEngineSettings, type EngineSettings } from './settings.ts'

/** The most processor time allowed, as a multiple of what the best single command takes. */
const limit = 1.1

/** Ends with 0 when every ratio keeps the limit, 1 when one does not, 130 when stopped. */
export async function runEngine(args: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = readEngineSettings(args)
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'spool-bench-')))
  try {
    await makeMaterial(folder, settings.seconds)
    say(describeMachine())
    say(`${settings.seconds} s of 854 × 480, ${settings.rounds} rounds, order swapped\n`)
    say('Processor time; in brackets the least and the most ratio, then the ratio on the clock.\n')
    say(`${'job'.padEnd(28)}  ours s  by hand s    ratio (min … max)  clock   chain s  ratio`)
    const ratios: number[] = []
    for (const job of engineJobs) {
      ratios.push(
        await compareJob(toolsIn(folder, stop, { threads: availableParallelism() }), job, settings),
      )
    }
    const isKept = ratios.every((ratio) => ratio <= limit)
    say(`\n${isKept ? 'ok' : 'above the limit'}`)
    return isKept ? 0 : 1
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs both sides alternately, so that other work on the machine affects both alike. */
async function compareJob(
  tools: ToolContext,
  job: EngineJob,
  { rounds }: EngineSettings,
): Promise<number> {
  const prepared = await prepareJob(tools, job)
  const plan = planOf(tools, prepared)
  const ours = async () => renderOurs(tools, prepared)
  const byHand = async () => renderCommands(tools, [job.byHand(plan, `hand.${plan.format}`)])
  const chain = async () => renderCommands(tools, job.chain(plan, `chain.${plan.format}`))
  const pairs: { ours: Spent; byHand: Spent }[] = []
  for (let round = 0; round < rounds; round++) {
    const isSwapped = round % 2 === 1
    const first = await spentOn(isSwapped ? byHand : ours)
    const second = await spentOn(isSwapped ? ours : byHand)
    pairs.push(isSwapped ? { ours: second, byHand: first } : { ours: first, byHand: second })
  }
  return report(job.name, pairs, await spentOn(chain))
}

/** Prints one line, and returns the ratio that is judged. */
function report(
  name: string,
  pairs: readonly { ours: Spent; byHand: Spent }[],
  chain: Spent,
): number {
  const ratios = pairs.map(({ ours, byHand }) => ours.processor / byHand.processor)
  const clock = middle(pairs.map(({ ours, byHand }) => ours.clock / byHand.clock))
  const ours = middle(pairs.map((pair) => pair.ours.processor))
  const byHand = middle(pairs.map((pair) => pair.byHand.processor))
  const range = `(${Math.min(...ratios).toFixed(2)} … ${Math.max(...ratios).toFixed(2)})`
  say(
    [
      name.padEnd(28),
      ours.toFixed(2).padStart(6),
      byHand.toFixed(2).padStart(9),
      `${middle(ratios).toFixed(2)} ${range}`.padStart(20),
      clock.toFixed(2).padStart(5),
      chain.processor.toFixed(2).padStart(8),
      (ours / chain.processor).toFixed(2).padStart(5),
    ].join('  '),
  )
  return middle(ratios)
}

type Spent = { readonly processor: number; readonly clock: number }

async function spentOn(work: () => Promise<void>): Promise<Spent> {
  const startedAt = performance.now()
  const before = childSeconds()
  await work()
  const clock = (performance.now() - startedAt) / 1000
  const after = childSeconds()
  return { clock, processor: before === undefined || after === undefined ? clock : after - before }
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return (low + high) / 2
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
