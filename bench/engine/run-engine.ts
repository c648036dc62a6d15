import { benchmark, byTurns, median, range, say, type Run } from '../benchmark.ts'
import { timed } from '../machine.ts'
import { allCores, ffmpeg } from '../tools-in.ts'
import { engineJobs, makeMaterial, type EngineJob } from './jobs.ts'
import { planOf, prepareJob, renderOurs } from './render-job.ts'

/** The most processor time allowed, as a multiple of what the best single command takes. */
const limit = 1.1

export const engine = benchmark({
  summary: 'rendering against the best single ffmpeg command written by hand',
  takes: 'four minutes',
  about: `Renders representative jobs, by turns as the media worker does and with one command written by hand for the same result.
Compares the processor time; in brackets stand the least and the most ratio, then the ratio of elapsed time.`,
  numbers: { rounds: [5, 'pairs of renders for each job'], seconds: [8, 'length of the clips'] },
  async measure({ rounds, seconds }, run) {
    await makeMaterial(run.folder, seconds)
    say('job                            ours s  by hand s    ratio (min … max)  clock')
    for (const job of engineJobs) await compareJob(job, rounds, run)
  },
})

async function compareJob(job: EngineJob, rounds: number, run: Run): Promise<void> {
  const tools = allCores(run)
  const prepared = await prepareJob(tools, job)
  const plan = planOf(tools, prepared)
  const pairs = await byTurns(rounds, {
    ours: async () => timed<unknown>(async () => renderOurs(tools, prepared)),
    byHand: async () => timed(async () => ffmpeg(tools, job.byHand(plan, `hand.${plan.format}`))),
  })
  const ratios = pairs.map(({ ours, byHand }) => ours.processor / byHand.processor)
  const middle = (side: 'ours' | 'byHand') => median(pairs.map((pair) => pair[side].processor))
  const clock = median(pairs.map(({ ours, byHand }) => ours.seconds / byHand.seconds))
  const cells = [
    job.name.padEnd(28),
    middle('ours').toFixed(2).padStart(7),
    middle('byHand').toFixed(2).padStart(9),
    `${median(ratios).toFixed(2)} ${range(ratios, 2)}`.padStart(20),
    clock.toFixed(2).padStart(5),
  ]
  run.judge(cells.join('  '), `at most ${limit.toFixed(2)}`, median(ratios) <= limit)
}
