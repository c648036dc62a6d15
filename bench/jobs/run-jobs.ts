import path from 'node:path'
import { ffmpeg } from '../../test/support/containers/run-tool.ts'
import { createVideo } from '../../test/support/node/api.ts'
import { ClipServer } from '../../test/support/node/clip-server.ts'
import { poll } from '../../test/support/node/poll.ts'
import type { RunningService } from '../../test/support/node/service.ts'
import { jobRecord, type JobRecord } from '../../worker/contract/job/job-record.ts'
import { videoPage } from '../../worker/contract/video/list-videos.ts'
import { benchmark, median, quantile, say, type Run } from '../benchmark.ts'
import { useBelow } from '../machine.ts'
import { ask, startService } from '../service/whole-service.ts'

/** Two otherwise idle cores have two seconds for each of 60 jobs a minute. */
const limits = { perMinute: 60, overheadMs: 1_500, cpuSeconds: 2 }
const clients = 20
const patiencePerJobMs = 10_000

export const jobs = benchmark({
  summary: 'tiny jobs through the whole service: per minute, overhead, each done once',
  takes: 'two minutes',
  about: `Starts the service as npm start does, with one media worker, and has it process tiny clips: first one after the other, then
all at once.`,
  numbers: {
    jobs: [60, 'jobs created at once'],
    singles: [5, 'jobs before that, each alone in the service'],
  },
  async measure({ jobs: count, singles }, run) {
    const clip = await serveClip(run)
    const service = await startService(run)
    // The first job is not counted: it compiles code and reads programs from disk.
    await runSingle(service, clip)
    const alone: Single[] = []
    while (alone.length < singles) alone.push(await runSingle(service, clip))
    judgeSingles(alone, run)

    say(`\n${count} jobs by ${clients} clients`)
    const before = processorSeconds(service)
    const ids = await createJobs(service, clip, count)
    await untilAllEnded(service, count, run.stop)
    judgeProcessors(before, processorSeconds(service), count, run)
    const records: JobRecord[] = []
    for (const id of ids) records.push(jobRecord.parse(await ask(service, `/v1/jobs/${id}`)))
    judgeLoad(records, run)
  },
})

/** Half a second of test picture and tone. */
async function serveClip({ folder, atEnd }: Run): Promise<string> {
  const file = path.join(folder, 'tiny.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=0.5']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=0.5']
  const coding = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  await ffmpeg([...picture, ...sound, ...coding, '-shortest', file])
  const server = await ClipServer.start()
  atEnd(async () => server.close())
  return server.serve('tiny.mp4', file)
}

/** A request that encodes picture and sound; copying would measure too little. */
const wish = (fileUrl: string) => ({ fileUrl, outputFormat: 'mp4', aspectRatio: '9:16' })

/** The time from the POST to the `end` event, and the job record afterwards. */
type Single = { tookMs: number; job: JobRecord }

async function runSingle(service: RunningService, clip: string): Promise<Single> {
  const sentAt = performance.now()
  const { videoId, jobId } = await createVideo(service, wish(clip))
  const events = await service.request(`/v1/videos/${videoId}/events`)
  // The stream ends with the video.
  await events.text()
  const tookMs = performance.now() - sentAt
  return { tookMs, job: jobRecord.parse(await ask(service, `/v1/jobs/${jobId}`)) }
}

/** Runs clients that each send one create after the other, until there are enough jobs; none may be refused. */
async function createJobs(service: RunningService, clip: string, count: number): Promise<string[]> {
  const jobIds: string[] = []
  let sent = 0
  const client = async () => {
    while (sent++ < count) jobIds.push((await createVideo(service, wish(clip))).jobId)
  }
  await Promise.all(Array.from({ length: clients }, client))
  return jobIds
}

async function untilAllEnded(service: RunningService, count: number, stop: AbortSignal) {
  const areOver = async () => {
    stop.throwIfAborted()
    // A job may begin to run between two of these questions.
    for (const status of ['running', 'queued', 'running']) {
      const page = videoPage.parse(await ask(service, `/v1/videos?status=${status}&limit=1`))
      if (page.data.length > 0) return undefined
    }
    return true
  }
  await poll(`${count} jobs to end`, areOver, count * patiencePerJobMs)
}

type Command = JobRecord['attempts'][number]['commands'][number]

/** Whether a command renders: those that only measure a file write to standard output. */
const isRender = ({ program, args }: Command) => program === 'ffmpeg' && args.at(-1) !== '-'

/** The time that the service adds to the programs that render. */
function judgeSingles(singles: readonly Single[], { judge }: Run): void {
  const renderMs = ({ attempts }: JobRecord): number =>
    attempts
      .flatMap(({ commands }) => commands.filter(isRender))
      .reduce((sum, { durationMs }) => sum + durationMs, 0)
  const overhead = median(singles.map(({ tookMs, job }) => tookMs - renderMs(job)))
  const took = median(singles.map(({ tookMs }) => tookMs))
  const figure = `one job alone: ${inSeconds(took)} from POST to end, ${inSeconds(overhead)} of it not rendering`
  judge(figure, `below ${inSeconds(limits.overheadMs)}`, overhead < limits.overheadMs)
}

/** Processor seconds by process, each with those of its programs that have ended. */
function processorSeconds(service: RunningService): Map<string, number> {
  const seconds = new Map<string, number>()
  for (const { name, cpuSeconds } of useBelow(service.dev.pid)) {
    seconds.set(name, (seconds.get(name) ?? 0) + cpuSeconds)
  }
  return seconds
}

type Seconds = ReadonlyMap<string, number>

/** Judges the processor time of a job, which other work on the machine hardly changes. */
function judgeProcessors(before: Seconds, after: Seconds, count: number, { judge }: Run): void {
  let all = 0
  for (const [name, seconds] of after) {
    const spent = (seconds - (before.get(name) ?? 0)) / count
    say(`  ${name.padEnd(34)}${spent.toFixed(3)} s`)
    all += spent
  }
  const limit = `${limits.cpuSeconds.toFixed(2)} s`
  judge(`processor time of a job: ${all.toFixed(3)} s`, limit, all <= limits.cpuSeconds)
}

function judgeLoad(all: readonly JobRecord[], { judge }: Run): void {
  const between = (from: string, to: string | null) => Date.parse(to ?? '') - Date.parse(from)
  const attempts = all.flatMap((job) => job.attempts)
  const held = attempts.map(({ startedAt, finishedAt }) => between(startedAt, finishedAt))
  const first = Math.min(...all.map(({ createdAt }) => Date.parse(createdAt)))
  const span = Math.max(...all.map(({ finishedAt }) => Date.parse(finishedAt ?? ''))) - first
  const busy = held.reduce((sum, one) => sum + one, 0) / span
  const waits = all.map(({ createdAt, startedAt }) => between(createdAt, startedAt))
  say(`queue to start: median ${inSeconds(median(waits))}, p95 ${inSeconds(quantile(waits, 0.95))}`)
  say(`an attempt: median ${inSeconds(median(held))}`)
  say(`jobs held at a time, on average: ${busy.toFixed(2)}`)
  const once = all.filter((job) => job.status === 'succeeded' && job.attempts.length === 1).length
  judge(`${once} of ${all.length} jobs succeeded at once`, 'all', once === all.length)
  const perMinute = (all.length / span) * 60_000
  const limit = `at least ${limits.perMinute}`
  judge(`${perMinute.toFixed(1)} jobs per minute`, limit, perMinute >= limits.perMinute)
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
