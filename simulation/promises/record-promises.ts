import type { Account } from '../actors/account.ts'
import type { Order } from '../actors/customer.ts'
import type { Answer } from '../actors/exchange.ts'
import type { Receivers } from '../actors/receivers.ts'
import type { World } from '../engine/world.ts'
import type { StepPromises } from './step-promises.ts'
import { newNotesOf } from '../actors/early-rename.ts'
import { notesOf } from '../actors/order-wish.ts'
import { goes, settledOf } from '../actors/settled-record.ts'

type Judged = { world: World; receivers: Receivers; orders: readonly Order[] }
type Ask = (account: Account, path: string) => Promise<Answer | undefined>

/** The final event carries the same record that is read after it. */
export function judgeEvents({ world, receivers, orders }: Judged): void {
  const bodies = Map.groupBy(receivers.received, ({ body }) => /"videoId":"(\w+)"/.exec(body)?.[1])
  for (const { name, videoId, last, wasDeleted } of orders) {
    if (!last || typeof last['secondsElapsed'] !== 'number') continue
    const expected = settledOf(last)
    for (const { body } of bodies.get(videoId) ?? []) {
      const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
      // An event sent after the deletion of its video has lost the transcript and the analysis.
      if (!type.startsWith('video.') || type !== `video.${String(last['status'])}`) continue
      // They may be changed while the webhook is on its way.
      const notes = [notesOf(name), newNotesOf(name)].map((one) => JSON.stringify(one))
      if (!notes.includes(JSON.stringify(data['metadata'])))
        world.break(`${name}: ${type} tells other notes than its order`)
      for (const [field, value] of Object.entries(settledOf(data))) {
        const isSame = JSON.stringify(value) === JSON.stringify(expected[field])
        if (isSame || field === 'transcript' || goes.has(field)) continue
        if (field === 'analysis' && wasDeleted) continue
        world.break(
          `${name}: ${type} tells ${field} ${JSON.stringify(value)}, and its record another`,
        )
      }
    }
  }
}

/** Job records agree with the history, even when read from the archive. */
export async function judgeJobRecords(
  { world, orders, promises }: Omit<Judged, 'receivers'> & { promises: StepPromises },
  ask: Ask,
): Promise<void> {
  for (const { name, account, jobId, videoId, last, wasDeleted } of orders) {
    if (jobId === undefined || wasDeleted || last?.['secondsElapsed'] === undefined) continue
    const answer = await ask(account, `/v1/jobs/${jobId}`)
    if (answer?.status !== 200) {
      world.break(`${name}: ${jobId} was answered ${answer?.status ?? 'nothing'}`)
      continue
    }
    const job = JSON.parse(answer.text) as Record<string, unknown> & {
      attempts: { outcome: string }[]
    }
    const outcomes = job.attempts.map(({ outcome }) => outcome).join()
    const seen = [...(promises.outcomes.get(jobId)?.values() ?? [])].join()
    const isSame = job['videoId'] === videoId && job['status'] === last['status']
    // The attempts of the video whose result is reused are listed too.
    const isAll = last['reusedFrom'] === undefined ? outcomes === seen : outcomes.includes(seen)
    if (!isSame || !isAll) {
      world.break(
        `${name}: ${jobId} is read as ${String(job['status'])}, ${outcomes}; it had ${seen}`,
      )
    }
  }
}
