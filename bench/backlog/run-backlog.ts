import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { benchmark, quantile, say, type Run } from '../benchmark.ts'
import { useBelow } from '../machine.ts'
import { HostedWorker, serviceWith } from '../service/hosted-worker.ts'
import { OneSlot } from './one-slot.ts'

const limits = { nextMs: 200, recoveredMs: 60_000, memoryMebibytes: 64 }

export const backlog = benchmark({
  summary:
    'ten thousand waiting jobs on one slot: what they cost, when the next begins, and after a kill',
  takes: 'a minute',
  about: `Lets the jobs of many accounts wait for one slot: what they cost while nothing moves, how soon a slot that falls free goes to
the next one, and how soon that works again after everything was killed. The media worker is a stand-in that only
takes jobs and ends them.`,
  numbers: {
    jobs: { fallback: 10_000, min: 100, max: 200_000, means: 'waiting jobs' },
    accounts: { fallback: 50, min: 2, max: 10_000, means: 'accounts that they belong to' },
    rounds: { fallback: 60, min: 5, max: 1000, means: 'slots that fall free, one after another' },
    seconds: { fallback: 25, min: 5, max: 600, means: 'seconds in which nothing moves' },
  },
  async measure({ jobs, accounts, rounds, seconds }, run) {
    const slot = await OneSlot.open()
    run.atEnd(() => slot.close())
    const place: Place = { service: await startService(slot, run), slot, run }
    const key = await place.service.localKey()
    const like = await place.service.createVideo(key)
    await slot.taken()
    const watched = await place.service.createVideo(key)
    const before = mebibytes(place.service)
    await place.service.ask('/bench/fill', { body: { jobs, accounts, like } })
    await place.service.ask('/bench/sweep')
    await untilInLine(place.service, key, watched)
    const grown = mebibytes(place.service) - before
    say(`${jobs} jobs of ${accounts} accounts wait for one slot`)
    run.judge(
      `memory of the runtime, grown by the line: ${grown.toFixed(0)} MiB`,
      `${limits.memoryMebibytes} MiB`,
      grown <= limits.memoryMebibytes,
    )
    await judgeRest(place, seconds)
    await judgeSlots(place, rounds)
    await judgeRecovery(place, key, watched)
  },
})

type Place = { service: HostedWorker; slot: OneSlot; run: Run }

async function startService(slot: OneSlot, run: Run): Promise<HostedWorker> {
  const entry = serviceWith(path.join(import.meta.dirname, 'entry.js'))
  const plan = { ...entry, variables: { MEDIA_WORKER_URLS: slot.url } }
  const service = await HostedWorker.start(plan, run.folder, run)
  slot.baseUrl = service.baseUrl
  return service
}

const waiting = z.object({ status: z.string(), queuePosition: z.number().optional() })

/** The process of workerd, which holds the Worker, its objects and the database. */
function mebibytes(service: HostedWorker): number {
  return useBelow(service.group)
    .filter(({ name }) => name.startsWith('workerd'))
    .reduce((sum, one) => sum + one.mebibytes, 0)
}

/** Nothing moves: the one job that runs goes on, and reports. */
async function judgeRest({ service, slot, run }: Place, seconds: number): Promise<void> {
  const [before, refused] = [await service.countStatements(), slot.refused]
  await delay(seconds * 1000, undefined, { signal: run.stop })
  const atRest = (await service.countStatements()) - before
  const offers = slot.refused - refused
  await service.ask('/bench/sweep')
  const swept = (await service.countStatements()) - before - atRest
  say(`one sweep, once a minute: ${swept} statements for everything that it looks after`)
  run.judge(`statements in ${seconds} s in which nothing moves: ${atRest}`, '0', atRest === 0)
  run.judge(`jobs offered in vain in that time: ${offers}`, '0', offers === 0)
}

async function judgeSlots({ service, slot, run }: Place, rounds: number): Promise<void> {
  // The first one compiles code.
  await slot.goOn()
  const before = await service.countStatements()
  const times: number[] = []
  while (times.length < rounds) times.push(await slot.goOn())
  const each = ((await service.countStatements()) - before) / rounds
  const late = quantile(times, 0.95)
  say(`statements from one slot that falls free to the next: ${each.toFixed(1)}`)
  const figure = `a free slot is offered to the next job in ${ms(quantile(times, 0.5))}, 19 of 20 in ${ms(late)}`
  run.judge(figure, `${limits.nextMs} ms`, late <= limits.nextMs)
}

async function judgeRecovery(place: Place, key: string, watched: string): Promise<void> {
  const { slot, run } = place
  await place.service.stop()
  slot.forget()
  const service = await startService(slot, run)
  const began = performance.now()
  const next = slot.taken().then(() => performance.now() - began)
  await untilInLine(service, key, watched)
  const whole = ms(performance.now() - began)
  say(`after a kill of everything, from the first answer on: the whole line known in ${whole}`)
  const nextMs = await next
  const isKept = nextMs <= limits.recoveredMs
  run.judge(`and the free slot taken in ${ms(nextMs)}`, ms(limits.recoveredMs), isKept)
}

async function untilInLine(service: HostedWorker, key: string, videoId: string): Promise<void> {
  for (let look = 0; look < 600; look++) {
    const record = waiting.parse(await service.ask(`/v1/videos/${videoId}`, { key }))
    if (record.queuePosition !== undefined || record.status !== 'queued') return
    await delay(100)
  }
  throw new Error(`${videoId} does not stand in line`)
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}
