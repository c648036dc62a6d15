import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { poll } from '../../test/support/node/poll.ts'
import { benchmark, quantile, say, type Run } from '../benchmark.ts'
import { useBelow } from '../machine.ts'
import { HostedWorker, serviceWith } from '../service/hosted-worker.ts'
import { OneSlot } from './one-slot.ts'

const limits = { nextMs: 200, recoveredMs: 60_000, memoryMebibytes: 64 }
const accounts = 50

export const backlog = benchmark({
  summary:
    'ten thousand waiting jobs on one slot: what they cost, when the next begins, and after a kill',
  takes: 'a minute',
  about: `Lets the jobs of ${accounts} accounts wait for one slot: what they cost while nothing moves, how soon a slot that falls free goes
to the next one, and how soon that works again after everything was killed. The media worker is a stand-in that only
takes jobs and ends them.`,
  numbers: {
    jobs: [10_000, 'waiting jobs'],
    rounds: [60, 'slots that fall free, one after another'],
    seconds: [25, 'seconds in which nothing moves'],
  },
  async measure({ jobs, rounds, seconds }, run) {
    const slot = new OneSlot()
    const url = await slot.open()
    run.atEnd(async () => slot.close())
    const startAgain = async () => {
      const entry = serviceWith(path.join(import.meta.dirname, 'entry.js'))
      const plan = { ...entry, variables: { MEDIA_WORKER_URLS: url } }
      const service = await HostedWorker.start(plan, run.folder, run)
      slot.baseUrl = service.baseUrl
      return service
    }
    const service = await startAgain()
    const key = await service.localKey()
    const like = await service.createVideo(key)
    await slot.taken()
    const watched = { id: await service.createVideo(key), key }
    const before = mebibytes(service)
    await service.ask('/bench/fill', { body: { jobs, accounts, like } })
    await service.ask('/bench/sweep')
    await untilInLine(service, watched)
    const grown = mebibytes(service) - before
    say(`${jobs} jobs of ${accounts} accounts wait for one slot`)
    const memory = `memory of the runtime, grown by the line: ${grown.toFixed(0)} MiB`
    run.judge(memory, `${limits.memoryMebibytes} MiB`, grown <= limits.memoryMebibytes)
    await judgeRest({ service, slot, run }, seconds)
    await judgeSlots({ service, slot, run }, rounds)

    await service.stop()
    slot.forget()
    const again = await startAgain()
    const began = performance.now()
    const next = slot.taken().then(() => performance.now() - began)
    await untilInLine(again, watched)
    const whole = ms(performance.now() - began)
    say(`after a kill of everything, from the first answer on: the whole line known in ${whole}`)
    const nextMs = await next
    const isKept = nextMs <= limits.recoveredMs
    run.judge(`and the free slot taken in ${ms(nextMs)}`, ms(limits.recoveredMs), isKept)
  },
})

type Place = { service: HostedWorker; slot: OneSlot; run: Run }

/** The memory of workerd, which holds the Worker, its objects and the database. */
function mebibytes(service: HostedWorker): number {
  return useBelow(service.group)
    .filter(({ name }) => name.startsWith('workerd'))
    .reduce((sum, one) => sum + one.mebibytes, 0)
}

/** Judges a service at rest: the one running job goes on and reports, and nothing else moves. */
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
  // The first round is not counted: it compiles code.
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

const waiting = z.object({ status: z.string(), queuePosition: z.number().optional() })

async function untilInLine(service: HostedWorker, { id, key }: { id: string; key: string }) {
  await poll(`${id} to stand in line`, async () => {
    const record = waiting.parse(await service.ask(`/v1/videos/${id}`, { key }))
    return record.queuePosition ?? (record.status === 'queued' ? undefined : 0)
  })
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}
