import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ClipServer } from '../../test/support/node/clip-server.ts'
import type { RunningService } from '../../test/support/node/service.ts'
import { jobRecord, type JobRecord } from '../../worker/contract/job/job-record.ts'
import { videoPage } from '../../worker/contract/video/list-videos.ts'
import { videoAccepted } from '../../worker/contract/video/video-record.ts'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { useBelow } from '../machine.ts'
import { ask, startService } from '../service/whole-service.ts'

/** Two otherwise idle cores have two seconds for each of 60 jobs a minute. */
const limits = { perMinute: 60, overheadMs: 1_500, cpuSeconds: 2 }
const patiencePerJobMs = 10_000

export const jobs = benchmark({
  summary: 'tiny jobs through the whole service: per minute, waiting, overhead, each done once',
  takes: 'two minutes',
  about: `Starts the service as npm start does, with one media worker, and has it process tiny clips: first one after the other, then
all at once.`,
  numbers: {
    jobs: { fallback: 60, min: 2, max: 1000, means: 'jobs created at once' },
    clients: { fallback: 20, min: 1, max: 64, means: 'clients that create them in parallel' },
    singles: { fallback: 5, min: 1, max: 50, means: 'jobs before that, each alone in the service' },
  },
  async measure({ jobs: count, clients, singles }, run) {
    const clip = await serveClip(run)
    const service = await startService(run)
    // This one is not counted: it compiles code and reads programs from disk.
    await runSingle(service, clip)
    const alone: Single[] = []
    while (alone.length < singles) alone.push(await runSingle(service, clip))
    judgeSingles(alone, run)

    say(`\n${count} jobs by ${clients} clients`)
    const before = processorSeconds(service)
    const created = await createJobs(service, clip, { count, clients })
    await untilAllEnded(service, count, run.stop)
    judgeProcessors(before, processorSeconds(service), count, run)
    const records: JobRecord[] = []
    for (const id of created.jobIds)
      records.push(jobRecord.parse(await ask(service, `/v1/jobs/${id}`)))
    judgeLoad(created, records, run)
  },
})

/** Half a second of test picture and tone. */
async function serveClip({ folder, atEnd }: Run): Promise<string> {
  const file = path.join(folder, 'tiny.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=0.5']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=0.5']
  const coding = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  const args = ['-v', 'error', '-y', ...picture, ...sound, ...coding, '-shortest', file]
  await promisify(execFile)('ffmpeg', args)
  const server = await ClipServer.start()
  atEnd(async () => server.close())
  return server.serve('tiny.mp4', file)
}

/** A request that encodes picture and sound; a copy would tell little. */
const wish = (fileUrl: string) => ({
  ...{ fileUrl, outputFormat: 'mp4', aspectRatio: '9:16', reuse: false },
})

/** The time from the POST to the `end` event, and the job record afterwards. */
type Single = { tookMs: number; job: JobRecord }

async function runSingle(service: RunningService, clip: string): Promise<Single> {
  const sentAt = performance.now()
  const response = await service.request('/v1/videos', { json: wish(clip) })
  const { videoId, jobId } = videoAccepted.parse(await response.json())
  const events = await service.request(`/v1/videos/${videoId}/events`)
  // The stream ends with the video.
  await events.text()
  const tookMs = performance.now() - sentAt
  return { tookMs, job: jobRecord.parse(await ask(service, `/v1/jobs/${jobId}`)) }
}

type Created = { jobIds: string[]; refused: number; tookMs: number }

/** Runs clients that each send one create after the other, until there are enough jobs. */
async function createJobs(
  service: RunningService,
  clip: string,
  { count, clients }: { count: number; clients: number },
): Promise<Created> {
  const created: Created = { jobIds: [], refused: 0, tookMs: 0 }
  const startedAt = performance.now()
  let sent = 0
  const client = async () => {
    while (sent++ < count) {
      const response = await service.request('/v1/videos', { json: wish(clip) })
      const body: unknown = await response.json()
      if (response.status === 202) created.jobIds.push(videoAccepted.parse(body).jobId)
      else created.refused++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  created.tookMs = performance.now() - startedAt
  return created
}

async function untilAllEnded(service: RunningService, count: number, stop: AbortSignal) {
  const isBusy = async () => {
    // A job may begin to run between two of these questions.
    for (const status of ['running', 'queued', 'running']) {
      const page = videoPage.parse(await ask(service, `/v1/videos?status=${status}&limit=1`))
      if (page.data.length > 0) return true
    }
    return false
  }
  const deadline = Date.now() + count * patiencePerJobMs
  while (await isBusy()) {
    if (Date.now() > deadline) throw new Error(`Not all of ${count} jobs have ended`)
    await delay(1_000, undefined, { signal: stop })
  }
}

type Command = JobRecord['attempts'][number]['commands'][number]

function commandMs(job: JobRecord, wanted: (command: Command) => boolean = () => true): number {
  const commands = job.attempts.flatMap((attempt) => attempt.commands)
  return commands.filter(wanted).reduce((sum, { durationMs }) => sum + durationMs, 0)
}

/** Commands that only measure a file write to standard output. */
const isRender = ({ program, args }: Command) => program === 'ffmpeg' && args.at(-1) !== '-'

/** The time that the service adds to the programs that render. */
function judgeSingles(singles: readonly Single[], { judge }: Run): void {
  const overhead = median(singles.map(({ tookMs, job }) => tookMs - commandMs(job, isRender)))
  const took = median(singles.map(({ tookMs }) => tookMs))
  const figure = `one job alone: ${inSeconds(took)} from POST to end, ${inSeconds(overhead)} of it not rendering`
  judge(figure, `below ${inSeconds(limits.overheadMs)}`, overhead < limits.overheadMs)
}

/** By process, with its programs that have ended. */
function processorSeconds(service: RunningService): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const { name, cpuSeconds } of useBelow(service.dev.pid)) {
    seconds.set(name, (seconds.get(name) ?? 0) + cpuSeconds)
  }
  return seconds
}

/** Other work on the machine hardly changes the processor time of a job. */
function judgeProcessors(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  count: number,
  { judge }: Run,
): void {
  let all = 0
  for (const [name, seconds] of after) {
    const spent = (seconds - (before.get(name) ?? 0)) / count
    say(`  ${name.padEnd(34)}${spent.toFixed(3)} s`)
    all += spent
  }
  const limit = `${limits.cpuSeconds.toFixed(2)} s`
  judge(`processor time of a job: ${all.toFixed(3)} s`, limit, all <= limits.cpuSeconds)
}

function judgeLoad(
  { jobIds, refused, tookMs }: Created,
  all: readonly JobRecord[],
  { judge }: Run,
): void {
  const attempts = all.flatMap((job) => job.attempts)
  const held = attempts.map(({ startedAt, finishedAt }) => between(startedAt, finishedAt))
  const waits = all.map(({ createdAt, startedAt }) => between(createdAt, startedAt))
  const first = Math.min(...all.map(({ createdAt }) => Date.parse(createdAt)))
  const span = Math.max(...all.map(({ finishedAt }) => Date.parse(finishedAt ?? ''))) - first
  const busy = held.reduce((sum, one) => sum + one, 0) / span
  say(`created in ${inSeconds(tookMs)}`)
  say(`queue to start: median ${inSeconds(median(waits))}, p95 ${inSeconds(quantile(waits, 0.95))}`)
  say(
    `an attempt: median ${inSeconds(median(held))}, its ${median(attempts.map((attempt) => attempt.commands.length))} programs ${inSeconds(median(all.map((job) => commandMs(job))))}`,
  )
  say(`jobs held at a time, on average: ${busy.toFixed(2)}`)

  const once = all.filter((job) => job.status === 'succeeded' && job.attempts.length === 1).length
  judge(`${refused} creates refused`, 'none', refused === 0)
  judge(`${once} of ${jobIds.length} jobs succeeded at once`, 'all', once === jobIds.length)
  const perMinute = (all.length / span) * 60_000
  const limit = `at least ${limits.perMinute}`
  judge(`${perMinute.toFixed(1)} jobs per minute`, limit, perMinute >= limits.perMinute)
}

function between(from: string, to: string | null): number {
  return Date.parse(to ?? '') - Date.parse(from)
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
