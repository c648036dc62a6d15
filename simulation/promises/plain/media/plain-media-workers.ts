import { longFilm } from '../../../actors/media/told-of-work.ts'
import type { Plainly } from '../plain-parts.ts'

const secondMs = 1_000
const idleWithinSeconds = 7_200
/** By then each job has been offered several times. */
const strangeMs = 60_000
/** Of a page before a media worker, of one that fails, and of one without a free slot. */
const strangeAnswers = [200, 500, 503]
/** A little less than an answer may take: to an offer, and to the question about a plan. */
const slowMs = 3_500
const slowPlanMs = 20_000
/** Longer than a media worker is waited for that does not answer, and shorter than a slot may be idle. */
const begunWithinSeconds = 40
const hungMs = 90_000
const hungAgainMs = 10_000
const idleMs = 40_000
const plannedMs = 50_000
const hungJobs = 4

/** Media workers answer what they should not, slowly, or not at all. Where each job has a container, none is asked before it is ready. */
export async function judgeMediaWorkers(parts: Plainly): Promise<void> {
  if (parts.workers.length === 0) return
  const judges = [judgePlanned, judgeSlow, judgeHung, judgeStrange]
  for (const judge of judges) if (await isIdle(parts)) await judge(parts)
}

/** Nobody is taken for a media worker that has a job, or refuses it, who has said neither. */
async function judgeStrange(parts: Plainly): Promise<void> {
  const { own, database, deployment, workers, world } = parts
  const ids: string[] = []
  for (const status of strangeAnswers) {
    for (const worker of workers) worker.answers.set(`strange-${status}`, status)
    ids.push(await send(parts, `strange-${status}`))
  }
  for (const [i, worker] of workers.entries())
    worker.answers.set('strange-to-all', i === 0 ? 500 : 400)
  const unknown = await send(parts, 'strange-to-all')
  world.faults.noteHarm()
  await own.pause(strangeMs)
  const isRefused = (id: string): boolean => {
    const [job] = database.read<{ id: string }>('SELECT id FROM jobs WHERE video_id = ?', id)
    const run = deployment.storageOf('JOB_RUNNER', job?.id ?? '')?.kv.get('run')
    return (run as { refusedSince?: number } | undefined)?.refusedSince !== undefined
  }
  for (const [i, id] of ids.entries()) {
    const told = `a job whose media workers answer ${strangeAnswers[i] ?? 0}`
    const [job] = database.read('SELECT attempts FROM jobs WHERE video_id = ?', id)
    own.same(`how often it was tried: ${told}`, job?.['attempts'], 0)
    own.same(`whether it is refused: ${told}`, isRefused(id), false)
  }
  // One that does not work may be gone for good, so it does not count.
  own.same('whether a job is refused by all that work', isRefused(unknown), true)
  for (const id of [...ids, unknown]) await own.ask(['POST', `/v1/videos/${id}/cancel`, {}])
  for (const worker of workers) worker.answers.clear()
}

/** A media worker that answers slowly has the job that it takes. */
async function judgeSlow(parts: Plainly): Promise<void> {
  const { own, workers } = parts
  for (const worker of workers) worker.answersAfterMs = slowMs
  await judgeBegun(parts, await send(parts, 'answered-slowly'), 'answers slowly')
  for (const worker of workers) worker.answersAfterMs = slowPlanMs
  await own.expect(200, ['POST', '/v1/plans', { fileUrl: urlOf('planned-slowly') }])
  for (const worker of workers) worker.answersAfterMs = 0
}

/** One that hangs holds nobody up for long, and has work again soon after. */
async function judgeHung(parts: Plainly): Promise<void> {
  const { own, database, slots, workers, world } = parts
  const hang = (ms: number): void => {
    world.faults.noteHarm('media worker freezes')
    workers[0]?.freeze(ms)
  }
  hang(hungMs)
  const before = world.now
  for (let i = 0; i < hungJobs; i++) {
    const id = await send(parts, `hung-${i}`)
    await judgeBegun(parts, id, 'hangs')
    await own.ask(['POST', `/v1/videos/${id}/cancel`, {}])
    await own.pause(secondMs)
  }
  await own.pause(before + hungMs - world.now)
  hang(hungAgainMs)
  const ids: string[] = []
  for (let i = 0; i <= slots; i++) ids.push(await send(parts, `${longFilm}-hung-${i}`))
  await own.pause(hungAgainMs + idleMs)
  const begun = ids.filter(
    (id) =>
      database.read('SELECT 1 FROM jobs WHERE video_id = ? AND started_at > 0', id).length > 0,
  )
  own.same('whether one has work that has hung', begun.length >= slots, true)
}

/** A plan comes from any media worker that can make it, and says why if none can. */
async function judgePlanned({ own, workers, world }: Plainly): Promise<void> {
  const plan = async (status: number, name: string) =>
    own.expect(status, ['POST', '/v1/plans', { fileUrl: urlOf(name) }])
  for (const status of [400, 500, 503]) {
    workers[0]?.answers.set(`planned-${status}`, status)
    for (let i = 0; i < 3; i++) await plan(200, `planned-${status}-${i}`)
  }
  for (const status of [503, 504]) {
    for (const worker of workers) worker.answers.set(`nobody-${status}`, status)
    const { message } = await plan(503, `nobody-${status}`)
    own.same(`why nobody plans: ${status}`, String(message).includes('longer'), status === 504)
  }
  for (const worker of workers) worker.answers.clear()
  for (let i = 0; i < 2; i++) {
    const before = world.now
    world.faults.noteHarm('media worker freezes')
    workers[0]?.freeze(plannedMs)
    await plan(200, `planned-by-another-${i}`)
    own.same('whether a plan comes in time', world.now < before + plannedMs, true)
    await own.pause(before + 2 * plannedMs - world.now)
  }
}

async function judgeBegun({ own, database }: Plainly, id: string, how: string): Promise<void> {
  const isBegun = (): boolean =>
    database.read('SELECT 1 FROM jobs WHERE video_id = ? AND started_at > 0', id).length > 0
  for (let seconds = 0; seconds < begunWithinSeconds && !isBegun(); seconds++)
    await own.pause(secondMs)
  own.same(`whether a job has begun although a media worker ${how}`, isBegun(), true)
}

async function isIdle({ own, database }: Plainly): Promise<boolean> {
  const isBusy = (): boolean =>
    database.read("SELECT id FROM videos WHERE status IN ('queued', 'running')").length > 0
  for (let seconds = 0; seconds < idleWithinSeconds && isBusy(); seconds++)
    await own.pause(secondMs)
  return !isBusy()
}

async function send({ own }: Plainly, name: string): Promise<string> {
  const body = { fileUrl: urlOf(name), reuse: false }
  return String((await own.expect(202, ['POST', '/v1/videos', body]))['videoId'])
}

function urlOf(name: string): string {
  return `https://sources.example.com/${name}.mp4`
}
