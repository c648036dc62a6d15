import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test/support/node/free-port.ts'
import { RunningService } from '../../test/support/node/service.ts'
import type { Likely } from '../../worker/contract/job/foresight.ts'
import { jobRecord } from '../../worker/contract/job/job-record.ts'
import { plan as planSchema, type Plan } from '../../worker/contract/video/video-plan.ts'
import { videoAccepted, type VideoRecord } from '../../worker/contract/video/video-record.ts'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { bodyOf, serveFilms, wishes, type Wish } from '../forecast/run-forecast.ts'
import { rateLimits } from '../service/hosted-worker.ts'

const limits = { medianError: 0.2, sizeError: 0.2, inRange: 0.75, alike: 0.95 }
const lookMs = 100

/** Requests whose pictures are copied, beside the others. */
const copies: readonly Wish[] = [
  ['camera', {}],
  ['small', { removeSegments: [{ startTime: 3, endTime: 8 }] }],
  ['screen', { removeSilence: true }],
  ['small', { normalizeAudio: true }],
]

export const plans = benchmark({
  summary: 'what POST /v1/plans says of a job, against what came',
  takes: 'ten minutes',
  about: `Starts the service as npm start does, without a past, plans videos of all kinds, and makes each right after its plan.
The plans of the last jobs are judged, those before them are the past that tells. Nothing is reused and no words are kept, so that
the same films are work again.`,
  numbers: {
    past: { fallback: 50, min: 0, max: 500, means: 'how many jobs come first' },
    judged: { fallback: 26, min: 1, max: 200, means: 'how many plans are judged' },
    kind: { fallback: 0, min: 0, max: 26, means: 'only this kind of request, from 1 on; 0: all' },
  },
  async measure({ past, judged, kind }, run) {
    const addresses = await serveFilms(run)
    const settings = { RATE_LIMITS: rateLimits, MEDIA_WORKERS: '1', INTERMEDIATE_HOURS: '0' }
    const place = { port: await freePort(), dataDir: run.folder }
    const service = await RunningService.start(place, settings)
    run.atEnd(async () => service.stop())
    const all = [...wishes, ...copies]
    const asked = kind === 0 ? all : all.slice(kind - 1, kind)
    const told: Told[] = []
    const jobs = past + judged
    const begunAt = Date.now()
    for (let i = 0; i < jobs; i++) {
      const wish = asked[i % asked.length] ?? ['small', {}]
      const one = await planAndMake(service, { ...bodyOf(wish, addresses), reuse: false }, run)
      const what = `${String(wish[0])} ${JSON.stringify(wish[1])}: ${lineOf(one)}`
      const minutesLeft = ((Date.now() - begunAt) / (i + 1)) * ((jobs - i - 1) / 60_000)
      const left = `${minutesLeft.toFixed(1)} min left`
      say(`  ${i < past ? 'past  ' : 'judged'} ${i + 1}/${jobs}, ${left}: ${what}`)
      if (i >= past) told.push(one)
    }
    judge(told, run)
  },
})

type Told = {
  readonly seconds: number
  readonly error: number
  readonly isInRange: boolean
  /** Of each result, copies aside. */
  readonly sizes: readonly { readonly error: number; readonly isInRange: boolean }[]
  /** Copied or encoded, the length and the warnings came as they were told. */
  readonly isAlike: boolean
}

function judge(told: readonly Told[], { judge: judgeOne }: Run): void {
  const errors = told.map(({ error }) => error)
  const sizes = told.flatMap((one) => one.sizes)
  const atMost = (what: string, value: number, limit: number) =>
    judgeOne(`${what}: ${percent(value)}`, `at most ${percent(limit)}`, value <= limit)
  const atLeast = (what: string, value: number, limit: number) =>
    judgeOne(`${what}: ${percent(value)}`, `at least ${percent(limit)}`, value >= limit)
  say(`nine of ten times below ${percent(quantile(errors, 0.9))}`)
  atMost(`median error of the time of ${told.length} plans`, median(errors), limits.medianError)
  atLeast('times within their range', share(told, 'isInRange'), limits.inRange)
  const sizeErrors = sizes.map(({ error }) => error)
  atMost(`median error of ${sizes.length} sizes of encodes`, median(sizeErrors), limits.sizeError)
  atLeast('sizes within their range', share(sizes, 'isInRange'), limits.inRange)
  atLeast('copy or encode, length and warnings as planned', share(told, 'isAlike'), limits.alike)
}

function share<Name extends string>(
  told: readonly Readonly<Record<Name, boolean>>[],
  name: Name,
): number {
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
  return {
    seconds,
    error: Math.abs(planned.seconds.likely - seconds) / seconds,
    isInRange: isWithin(seconds, planned.seconds),
    sizes: planned.results.flatMap((result, i) => {
      const bytes = madeOf(record)[i]?.bytes
      if (bytes === undefined || result.picture?.startsWith('copied')) return []
      const error = Math.abs(result.sizeInBytes.likely / bytes - 1)
      return [{ error, isInRange: isWithin(bytes, result.sizeInBytes) }]
    }),
    isAlike: isAsPlanned(planned, record, job.attempts.at(-1)?.plan),
  }
}

type Made = { readonly bytes?: number | undefined; readonly duration?: number | undefined }

function madeOf({ outputs, videoMetadata: film }: VideoRecord): readonly Made[] {
  return outputs ?? (film ? [{ bytes: film.sizeInBytes, duration: film.duration }] : [])
}

/** Of what only the words tell, nothing was promised. */
function isAsPlanned({ results, warnings, unknown }: Plan, record: VideoRecord, made: unknown) {
  const { picture, outputs = [] } = made as MadePlan
  const all = madeOf(record)
  const told = (record.outputs ?? []).flatMap(({ name, warnings: own = [] }) =>
    own.map((warning) => `outputs (${name}): ${warning}`.slice(0, 500)),
  )
  const warned = [...(record.warnings ?? []), ...told]
  const hasWarnings = unknown.length > 0 || String(warnings) === String(warned)
  const areAlike = results.every((result, i) => {
    const own = result.name === undefined ? picture : pictureOf(outputs, result.name)
    const { duration = 0 } = all[i] ?? {}
    const { least, most, likely } = result.duration
    const isLength = isWithin(duration, { likely, least: least - 0.1, most: most + 0.1 })
    return (own === undefined || own === result.picture) && (isLength || result.sound === 'none')
  })
  return results.length === all.length && areAlike && hasWarnings
}

type MadePlan = {
  readonly picture?: string
  readonly outputs?: readonly { readonly name: string; readonly plan: { picture?: string } }[]
}

function pictureOf(outputs: MadePlan['outputs'], name: string): string | undefined {
  return outputs?.find((one) => one.name === name)?.plan.picture
}

function isWithin(value: number, { least, most }: Likely): boolean {
  return least <= value && value <= most
}

async function ask(service: RunningService, pathname: string, json?: object): Promise<unknown> {
  const response = await service.request(pathname, json && { json })
  if (!response.ok) throw new Error(`${pathname} answered ${response.status}`)
  return response.json()
}

function lineOf({ seconds, error, sizes, isAlike }: Told): string {
  const size = sizes.map(({ error: of }) => `, size ${percent(of)}`).join('')
  return `${seconds.toFixed(1)} s, error ${percent(error)}${size}${isAlike ? '' : ', not as planned'}`
}

function percent(value: number): string {
  return `${Math.round(value * 100)} %`
}
