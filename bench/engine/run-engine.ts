import { availableParallelism } from 'node:os'
import { benchmark, median, say, type Run } from '../benchmark.ts'
import { childSeconds } from '../machine.ts'
import { toolsIn } from '../tools-in.ts'
import { engineJobs, makeMaterial, type EngineJob } from './jobs.ts'
import { planOf, prepareJob, renderByHand, renderOurs } from './render-job.ts'

/** The most processor time allowed, as a multiple of what the best single command takes. */
const limit = 1.1

export const engine = benchmark({
  summary: 'rendering against the best single ffmpeg command written by hand',
  takes: 'four minutes',
  about: `Renders representative jobs, by turns as the media worker does and with one command written by hand for the same result.
Compares the processor time; in brackets stand the least and the most ratio, then the ratio of elapsed time.`,
  numbers: {
    rounds: { fallback: 5, min: 1, max: 50, means: 'pairs of renders for each job' },
    seconds: { fallback: 8, min: 4, max: 120, means: 'length of the clips' },
  },
  async measure({ rounds, seconds }, run) {
    await makeMaterial(run.folder, seconds)
    say('job                            ours s  by hand s    ratio (min … max)  clock')
    for (const job of engineJobs) await compareJob(job, rounds, run)
  },
})

type Spent = { readonly processor: number; readonly clock: number }

/** Runs both sides alternately, so that other work on the machine affects both alike. */
async function compareJob(job: EngineJob, rounds: number, { folder, stop, judge }: Run) {
  const tools = toolsIn(folder, stop, { threads: availableParallelism() })
  const prepared = await prepareJob(tools, job)
  const plan = planOf(tools, prepared)
  const ours = async () => renderOurs(tools, prepared)
  const byHand = async () => renderByHand(tools, job.byHand(plan, `hand.${plan.format}`))
  const pairs: { ours: Spent; byHand: Spent }[] = []
  for (let round = 0; round < rounds; round++) {
    const isSwapped = round % 2 === 1
    const first = await spentOn(isSwapped ? byHand : ours)
    const second = await spentOn(isSwapped ? ours : byHand)
    pairs.push(isSwapped ? { ours: second, byHand: first } : { ours: first, byHand: second })
  }
  const ratios = pairs.map((pair) => pair.ours.processor / pair.byHand.processor)
  const range = `(${Math.min(...ratios).toFixed(2)} … ${Math.max(...ratios).toFixed(2)})`
  const cells = [
    job.name.padEnd(28),
    median(pairs.map((pair) => pair.ours.processor))
      .toFixed(2)
      .padStart(7),
    median(pairs.map((pair) => pair.byHand.processor))
      .toFixed(2)
      .padStart(9),
    `${median(ratios).toFixed(2)} ${range}`.padStart(20),
    median(pairs.map((pair) => pair.ours.clock / pair.byHand.clock))
      .toFixed(2)
      .padStart(5),
  ]
  judge(cells.join('  '), `at most ${limit.toFixed(2)}`, median(ratios) <= limit)
}

async function spentOn(work: () => Promise<void>): Promise<Spent> {
  const [startedAt, before] = [performance.now(), childSeconds()]
  await work()
  return { clock: (performance.now() - startedAt) / 1000, processor: childSeconds() - before }
}
