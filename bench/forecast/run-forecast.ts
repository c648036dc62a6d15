import { setTimeout as delay } from 'node:timers/promises'
import type { RunningService } from '../../test/support/node/service.ts'
import type { Likely } from '../../worker/contract/job/foresight.ts'
import { jobRecord, type JobRecord } from '../../worker/contract/job/job-record.ts'
import { plan as planSchema } from '../../worker/contract/video/video-plan.ts'
import { videoAccepted, type VideoRecord } from '../../worker/contract/video/video-record.ts'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { ask, startService } from '../service/whole-service.ts'
import { isAsPlanned, isWithin, madeOf } from './as-planned.ts'
import { bodyOf, ofOtherFilm, serveFilms, wishes, type Wish } from './films.ts'

const leftLimits = { medianError: 0.25, inRange: 0.85, stillSeconds: 30 }
const planLimits = { medianError: 0.2, inRange: 0.75, alike: 0.95 }
/** The time left is judged once this share of the job is done. */
const judgedFrom = 0.2
const lookMs = 100

export const forecast = benchmark({
  summary: 'what is told of a job by its plan and by its record, against what came',
  takes: 'ten minutes',
  about: `Starts the service as npm start does, without a past, plans videos of all kinds, and makes each right after its plan. Each
record is read several times a second until its end, and the time that it tells is judged for all jobs. Plans are judged for the
last jobs, whose past are those before them: these had such requests, but none of the same footage. Nothing is reused and no words are kept, so that the same films are work again.`,
  numbers: {
    past: [50, 'how many jobs come before those whose plans are judged'],
    judged: [26, 'how many plans are judged'],
    kind: [0, 'only this kind of request, from 1 on; 0: all'],
  },
  async measure({ past, judged, kind }, run) {
    const addresses = await serveFilms(run)
    const service = await startService(run, { INTERMEDIATE_HOURS: '0' })
    const asked = kind === 0 ? wishes : wishes.slice(kind - 1, kind)
    const told: Told[] = []
    const jobs = past + judged
    const begunAt = Date.now()
    while (told.length < jobs) {
      const known = asked[told.length % asked.length] ?? ['small', {}]
      const wish = told.length < past ? known : ofOtherFilm(known)
      told.push(await planAndMake(service, { ...bodyOf(wish, addresses), reuse: false }, run))
      const done = told.length
      const minutesLeft = ((Date.now() - begunAt) / done) * ((jobs - done) / 60_000)
      say(`  ${done}/${jobs}, ${minutesLeft.toFixed(1)} min left: ${lineOf(wish, told.at(-1))}`)
    }
    judgeLeft(told, run)
    judgePlans(told.slice(past), run)
  },
})

/**
 * `error`: by which share of the true value the forecast was wrong; `off`: the same with its sign, negative if too little was
 * foretold.
 */
type Guess = { readonly error: number; readonly off: number; readonly isInRange: boolean }

type Told = {
  readonly seconds: number
  /** How good the forecast of the time left was after a fifth of the job. */
  readonly left: Guess
  readonly stillSeconds: number
  /** How good the plan's time was. */
  readonly planned: Guess
  /** How good the plan's processor time was. */
  readonly processor: Guess
  /** How good the size of each result was, copies aside. */
  readonly sizes: readonly Guess[]
  /** Whether copying, length and warnings came as planned. */
  readonly isAlike: boolean
}

function judgeLeft(told: readonly Told[], run: Run): void {
  const { stillSeconds } = leftLimits
  judgeGuesses(
    'times left after a fifth of a job',
    told.map(({ left }) => left),
    leftLimits,
    run,
  )
  const still = Math.max(...told.map((one) => one.stillSeconds))
  const stood = `longest time in which no bar moved: ${still.toFixed(1)} s`
  run.judge(stood, `below ${stillSeconds} s`, still < stillSeconds)
}

function judgePlans(told: readonly Told[], run: Run): void {
  const planned = told.map((one) => one.planned)
  judgeGuesses('times of plans', planned, planLimits, run)
  const processor = told.map((one) => one.processor)
  judgeGuesses('processor seconds of plans', processor, planLimits, run)
  const sizes = told.flatMap((one) => one.sizes)
  judgeGuesses('sizes of encodes', sizes, planLimits, run)
  const alike = told.filter((one) => one.isAlike).length / told.length
  const what = `copy or encode, length and warnings as planned: ${percent(alike)}`
  run.judge(what, `at least ${percent(planLimits.alike)}`, alike >= planLimits.alike)
}

function judgeGuesses(
  what: string,
  guesses: readonly Guess[],
  limits: { medianError: number; inRange: number },
  { judge }: Run,
): void {
  const errors = guesses.map(({ error }) => error)
  const middle = median(errors)
  const within = guesses.filter(({ isInRange }) => isInRange).length / guesses.length
  say(`${guesses.length} ${what}: nine of ten errors below ${percent(quantile(errors, 0.9))}`)
  const most = limits.medianError
  judge(`  median error ${percent(middle)}`, `at most ${percent(most)}`, middle <= most)
  const least = limits.inRange
  judge(`  in their range ${percent(within)}`, `at least ${percent(least)}`, within >= least)
}

type Seen = Pick<VideoRecord, 'secondsLeft' | 'secondsLeftRange' | 'progressPercent'> & {
  at: number
}

async function planAndMake(service: RunningService, request: object, { stop }: Run): Promise<Told> {
  const planned = planSchema.parse(await ask(service, '/v1/plans', request))
  const { videoId, jobId } = videoAccepted.parse(await ask(service, '/v1/videos', request))
  const seen: Seen[] = []
  let record: VideoRecord
  do {
    await delay(lookMs, undefined, { signal: stop })
    record = (await ask(service, `/v1/videos/${videoId}`)) as VideoRecord
    if (record.status === 'running') seen.push({ ...record, at: Date.now() })
  } while (record.status === 'queued' || record.status === 'running')
  if (record.status !== 'succeeded') throw new Error(`${videoId}: ${record.errorMessage ?? ''}`)
  const job = jobRecord.parse(await ask(service, `/v1/jobs/${jobId}`))
  const [begin, end] = [Date.parse(job.startedAt ?? ''), Date.parse(job.finishedAt ?? '')]
  const seconds = (end - begin) / 1000
  return {
    seconds,
    left: judgeTimeLeft(seen, begin, end),
    stillSeconds: longestStill(seen, end),
    planned: guess(planned.seconds, seconds),
    processor: guess(planned.cpuSeconds, cpuSecondsOf(job)),
    sizes: planned.results.flatMap((result, i) => {
      const bytes = madeOf(record)[i]?.bytes
      if (bytes === undefined || result.picture?.startsWith('copied')) return []
      return [guess(result.sizeInBytes, bytes)]
    }),
    isAlike: isAsPlanned(planned, record, job.attempts.at(-1)?.plan),
  }
}

function guess(told: Likely, came: number): Guess {
  const off = told.likely / came - 1
  return { error: Math.abs(off), off, isInRange: isWithin(came, told) }
}

function cpuSecondsOf({ attempts }: JobRecord): number {
  return attempts.reduce((sum, { cpuSeconds }) => sum + (cpuSeconds ?? 0), 0)
}

function judgeTimeLeft(seen: readonly Seen[], begin: number, end: number): Told['left'] {
  const judged = seen.find(({ at }) => at >= begin + (end - begin) * judgedFrom)
  const real = Math.max(0.001, (end - (judged?.at ?? end)) / 1000)
  // A record without a forecast counts as one that says no time is left.
  const { secondsLeft = 0, secondsLeftRange } = judged ?? {}
  const { least, most } = secondsLeftRange ?? { least: secondsLeft * 0.8, most: secondsLeft * 1.2 }
  return guess({ likely: secondsLeft, least, most }, real)
}

function longestStill(seen: readonly Seen[], end: number): number {
  let [longest, since] = [0, seen[0]]
  for (const one of seen) {
    if (one.progressPercent !== since?.progressPercent) since = one
    longest = Math.max(longest, one.at - since.at)
  }
  return Math.max(longest, end - (since?.at ?? end)) / 1000
}

function lineOf([film, request]: Wish, told: Told | undefined): string {
  const what = `${String(film)} ${JSON.stringify(request)}`.padEnd(64)
  if (!told) return what
  const { seconds, left, planned, processor, sizes, isAlike, stillSeconds } = told
  const size = sizes.map(({ off }) => `, size ${percent(off)}`).join('')
  const errors = `plan ${percent(planned.off)}, processor ${percent(processor.off)}, left ${percent(left.off)}`
  return `${what} ${seconds.toFixed(1)} s, ${errors}${size}, still ${stillSeconds.toFixed(1)} s${isAlike ? '' : ', not as planned'}`
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`
}
