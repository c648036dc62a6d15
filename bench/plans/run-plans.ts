import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test/support/node/free-port.ts'
import { RunningService } from '../../test/support/node/service.ts'
import type { Likely } from '../../worker/contract/job/foresight.ts'
import { jobRecord } from '../../worker/contract/job/job-record.ts'
import { plan as planSchema, type Plan } from '../../worker/contract/video/video-plan.ts'
import { videoAccepted, type VideoRecord } from '../../worker/contract/video/video-record.ts'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { serveFilms, wishes } from '../forecast/run-forecast.ts'
import { rateLimits } from '../service/hosted-worker.ts'

const limits = { medianError: 0.2, alike: 0.95 }
const lookMs = 100

/** Requests whose pictures are copied, beside the others. */
const copies = [
  ['camera', {}],
  ['small', { removeSegments: [{ startTime: 3, endTime: 8 }] }],
  ['screen', { removeSilence: true }],
  ['small', { normalizeAudio: true }],
] as const

export const plans = benchmark({
  summary: 'what POST /v1/plans says of a job, against what came',
  takes: 'fifteen minutes',
  about: `Starts the service as npm start does, without a past, plans videos of all kinds, and makes each right after its plan.
The plans of the last jobs are judged, those before them are the past that tells.`,
  numbers: {
    past: { fallback: 50, min: 0, max: 500, means: 'how many jobs come first' },
    judged: { fallback: 19, min: 1, max: 200, means: 'how many plans are judged' },
  },
  async measure({ past, judged }, run) {
    const addresses = await serveFilms(run)
    const settings = { RATE_LIMITS: rateLimits, MEDIA_WORKERS: '1' }
    const place = { port: await freePort(), dataDir: run.folder }
    const service = await RunningService.start(place, settings)
    run.atEnd(async () => service.stop())
    const all = [...wishes, ...copies]
    const told: Told[] = []
    for (let i = 0; i < past + judged; i++) {
      const [film, request] = all[i % all.length] ?? ['small', {}]
      const one = await planAndMake(service, { fileUrl: addresses.get(film), ...request }, run)
      say(`  ${i < past ? 'past  ' : 'judged'} ${film} ${JSON.stringify(request)}: ${lineOf(one)}`)
      if (i >= past) told.push(one)
    }
    judge(told, run)
  },
})

type Told = {
  readonly seconds: number
  readonly error: number
  readonly isInRange: boolean
  /** Undefined if no film was made. */
  readonly sizeError: number | undefined
  /** Copied or encoded, the length and the warnings came as they were told. */
  readonly isAlike: boolean
}

function judge(told: readonly Told[], { judge: judgeOne }: Run): void {
  const errors = told.map(({ error }) => error)
  const sizes = told.flatMap(({ sizeError }) => sizeError ?? [])
  say(
    `nine of ten times below ${percent(quantile(errors, 0.9))}; ${percent(share(told, 'isInRange'))} within their range`,
  )
  say(`median error of sizes: ${percent(median(sizes))}`)
  const error = median(errors)
  judgeOne(
    `median error of the time of ${told.length} plans: ${percent(error)}`,
    `at most ${percent(limits.medianError)}`,
    error <= limits.medianError,
  )
  const alike = share(told, 'isAlike')
  judgeOne(
    `copy or encode, length and warnings as planned: ${percent(alike)}`,
    `at least ${percent(limits.alike)}`,
    alike >= limits.alike,
  )
}

function share(told: readonly Told[], name: 'isInRange' | 'isAlike'): number {
  return told.filter((one) => one[name]).length / told.length
}

async function planAndMake(service: RunningService, request: object, { stop }: Run): Promise<Told> {
  const planned = planSchema.parse(await ask(service, '/v1/plans', request))
  const { videoId, jobId } = videoAccepted.parse(await ask(service, '/v1/videos', request))
  let record: VideoRecord
  do {
    await delay(lookMs, undefined, { signal: stop })
    record = (await ask(service, `/v1/videos/${videoId}`)) as VideoRecord
  } while (record.status === 'queued' || record.status === 'running')
  if (record.status !== 'succeeded') throw new Error(`${videoId}: ${record.errorMessage ?? ''}`)
  const job = jobRecord.parse(await ask(service, `/v1/jobs/${jobId}`))
  const seconds = (Date.parse(job.finishedAt ?? '') - Date.parse(job.startedAt ?? '')) / 1000
  const [result] = planned.results
  const { sizeInBytes } = record.videoMetadata ?? {}
  return {
    seconds,
    error: Math.abs(planned.seconds.likely - seconds) / seconds,
    isInRange: isWithin(seconds, planned.seconds),
    sizeError: result && sizeInBytes && Math.abs(result.sizeInBytes.likely / sizeInBytes - 1),
    isAlike: isAsPlanned(planned, record, job.attempts.at(-1)?.plan),
  }
}

/** Of what only the words tell, nothing was promised. */
function isAsPlanned({ results, warnings, unknown }: Plan, record: VideoRecord, made: unknown) {
  const [result] = results
  if (!result) return record.videoMetadata === undefined
  const { picture } = made as { picture?: string }
  const hasWarnings = unknown.length > 0 || String(warnings) === String(record.warnings ?? [])
  const seconds = record.videoMetadata?.duration ?? 0
  const slack = { ...result.duration, least: result.duration.least - 0.1 }
  const isLength = isWithin(seconds, { ...slack, most: slack.most + 0.1 })
  return picture === result.picture && isLength && hasWarnings
}

function isWithin(value: number, { least, most }: Likely): boolean {
  return least <= value && value <= most
}

async function ask(service: RunningService, pathname: string, json?: object): Promise<unknown> {
  const response = await service.request(pathname, json && { json })
  if (!response.ok) throw new Error(`${pathname} answered ${response.status}`)
  return response.json()
}

function lineOf({ seconds, error, sizeError, isAlike }: Told): string {
  const size = sizeError === undefined ? '' : `, size ${percent(sizeError)}`
  return `${seconds.toFixed(1)} s, error ${percent(error)}${size}${isAlike ? '' : ', not as planned'}`
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`
}
