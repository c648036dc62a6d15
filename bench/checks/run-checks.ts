import path from 'node:path'
import { checkFilm } from '../../containers/job/check/check-film.ts'
import { planJob } from '../../containers/job/plan/plan-job.ts'
import { renderOutput } from '../../containers/job/render/render-output.ts'
import { cutHere } from '../../test/support/containers/films/job-here.ts'
import { benchmark, median, range, say, type Run } from '../benchmark.ts'
import { drawFilm, footages } from '../cuts/footage.ts'
import { timed } from '../machine.ts'
import { allCores } from '../tools-in.ts'

/** The films, and the share of a render's processor time that their checks may take. All pictures of the last film are compared. */
const films = [
  { seconds: 30, lines: 720, most: 0.045 },
  { seconds: 12, lines: 720, most: 0.055 },
  { seconds: 5, lines: 360, most: 0.4 },
] as const

export const checks = benchmark({
  summary: 'what the checks of a film take beside its render',
  takes: 'two minutes',
  about: `Renders films of three lengths with our own settings, and checks each as the media worker does. Compares the processor time.`,
  numbers: { rounds: [3, 'checks of each film'] },
  async measure({ rounds }, run) {
    say('film         render s  checks s  share (min … max)')
    for (const film of films) await compareFilm(film, rounds, run)
  },
})

async function compareFilm(
  { seconds, lines, most }: (typeof films)[number],
  rounds: number,
  run: Run,
): Promise<void> {
  const tools = allCores(run)
  const name = `${lines}-${seconds}.mp4`
  await drawFilm(tools, footages[0], { name, seconds, lines })
  const sources = [{ file: path.join(tools.folder, name) }]
  const planned = await planJob(
    await cutHere(tools, { sources, options: { compressionQuality: 70 } }),
  )
  const render = await timed(async () => renderOutput(planned))
  const times: number[] = []
  for (let i = 0; i < rounds; i++) {
    const { made, processor } = await timed(async () => checkFilm(planned, render.made))
    const doubts = made.filter(({ result }) => result !== 'passed')
    if (doubts.length > 0) throw new Error(`The film is not right: ${JSON.stringify(doubts)}`)
    times.push(processor)
  }
  const shares = times.map((one) => one / render.processor)
  const cells = [
    `${seconds} s of ${lines}p`.padEnd(12),
    render.processor.toFixed(2).padStart(8),
    median(times).toFixed(2).padStart(9),
    `${median(shares).toFixed(3)} ${range(shares, 3)}`,
  ]
  run.judge(cells.join('  '), `at most ${most}`, median(shares) <= most)
}
