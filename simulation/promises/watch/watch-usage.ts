import type { World } from '../../engine/world.ts'
import type { Bucket } from '../../platform/bucket.ts'
import type { Database } from '../../platform/database.ts'

type Used = {
  succeeded: number
  failed: number
  canceled: number
  secondsIn: number
  secondsOut: number
  work: Map<string, number>
}
type Trace = { phases: { name: string; durationMs: number }[] }
type Ended = { account: string; seconds: number | null; removed: string | null }

const counted = ['measuring', 'rendering', 'transcribing', 'analysing']
/** Numbers that were added up in another order may differ by this much. */
const near = 1e-6

/** Adds up once more what each account uses, from what happens to its videos. */
export class WatchUsage {
  readonly #database: Database
  readonly #used = new Map<string, Used>()

  constructor(database: Database) {
    this.#database = database
  }

  ended(videoId: string, status: string): void {
    const [row] = this.#database.read<Ended>(
      `SELECT account_id AS account, result ->> '$.videoMetadata.duration' AS seconds, result ->> '$.removed' AS removed
       FROM videos WHERE id = ?`,
      videoId,
    )
    const used = this.#of(String(row?.account))
    const removed = Object.values(JSON.parse(row?.removed ?? '{}') as Record<string, number>)
    used.secondsOut += row?.seconds ?? 0
    used.secondsIn += sum([row?.seconds ?? 0, ...removed])
    if (status === 'succeeded' || status === 'failed' || status === 'canceled') used[status]++
  }

  /** The trace of an attempt was stored. It takes the place of the one before, if there was one. */
  worked(jobId: string, trace: string, before: string): void {
    const [row] = this.#database.read('SELECT account_id AS account FROM jobs WHERE id = ?', jobId)
    const { work } = this.#of(String(row?.['account']))
    const taken = phasesOf(before).map(({ name, durationMs }) => ({
      name,
      durationMs: -durationMs,
    }))
    for (const { name, durationMs } of [...phasesOf(trace), ...taken]) {
      if (counted.includes(name)) work.set(name, (work.get(name) ?? 0) + durationMs / 1000)
    }
  }

  /** How many videos of all accounts have ended so. */
  sum(how: 'succeeded' | 'failed' | 'canceled'): number {
    return [...this.#used.values()].reduce((sum, used) => sum + used[how], 0)
  }

  /** What was counted by day, what was counted in all, and what is kept. */
  judge(world: World, bucket: Bucket): void {
    const days = this.#database.read(
      `SELECT account_id, sum(succeeded) AS succeeded, sum(failed) AS failed, sum(canceled) AS canceled,
       sum(seconds_in) AS seconds_in, sum(seconds_out) AS seconds_out, sum(kept_bytes) AS kept_bytes,
       ${counted.map((kind) => `sum(${kind}_seconds) AS ${kind}`).join()}
       FROM usage_days GROUP BY account_id`,
    )
    const kept = this.#keptBytes(bucket)
    for (const day of days) {
      const accountId = String(day['account_id'])
      const used = this.#of(accountId)
      const [total = {}] = this.#database.read(
        'SELECT * FROM usage_totals WHERE account_id = ?',
        accountId,
      )
      const expected: Record<string, number> = {
        ...{ succeeded: used.succeeded, failed: used.failed, canceled: used.canceled },
        ...{ seconds_in: used.secondsIn, seconds_out: used.secondsOut },
        kept_bytes: kept.get(accountId) ?? 0,
      }
      for (const [name, amount] of Object.entries(expected)) {
        const [byDay, inAll] = [Number(day[name]), Number(total[name])]
        if (Math.abs(byDay - amount) < near && Math.abs(inAll - amount) < near) continue
        world.break(
          `the ${name} of ${accountId}: ${amount}, and counted are ${byDay} by day, ${inAll} in all`,
        )
      }
      this.#judgeWork(world, { accountId, day, inAll: Number(total['processor_seconds']) })
    }
  }

  /** Each kind of work is counted by day, and all of them in all. */
  #judgeWork(
    world: World,
    { accountId, day, inAll }: { accountId: string; day: Record<string, unknown>; inAll: number },
  ): void {
    const { work } = this.#of(accountId)
    for (const kind of counted) {
      const [amount, told] = [work.get(kind) ?? 0, Number(day[kind])]
      if (Math.abs(amount - told) >= near)
        world.break(`the ${kind} of ${accountId}: ${amount}, and counted are ${told}`)
    }
    const all = sum([...work.values()])
    if (Math.abs(all - inAll) >= near)
      world.break(`the work of ${accountId}: ${all}, and counted are ${inAll} in all`)
  }

  #keptBytes(bucket: Bucket): Map<string, number> {
    const rows = this.#database.read(
      "SELECT coalesce(files_of, id) AS owner, id, account_id AS account, source ->> 'uploadId' AS upload FROM videos",
    )
    const owners = new Map(
      rows.flatMap(({ owner, id, account, upload }) => [
        // The video under whose name they lie may have been deleted.
        [`videos/${String(owner)}`, String(account)],
        [`videos/${String(id)}`, String(account)],
        [`uploads/${String(upload)}`, String(account)],
      ]),
    )
    const kept = new Map<string, number>()
    for (const [key, { bytes }] of bucket.objects) {
      // Of files that name who speaks, the first ones count.
      if (key.includes('/named/')) continue
      const owner = owners.get(key.split('/').slice(0, 2).join('/'))
      if (owner !== undefined) kept.set(owner, (kept.get(owner) ?? 0) + bytes.length)
    }
    return kept
  }

  #of(accountId: string): Used {
    const known = this.#used.get(accountId)
    if (known) return known
    const made = {
      succeeded: 0,
      failed: 0,
      canceled: 0,
      secondsIn: 0,
      secondsOut: 0,
      work: new Map(),
    }
    this.#used.set(accountId, made)
    return made
  }
}

function phasesOf(trace: string): Trace['phases'] {
  return trace === '' ? [] : (JSON.parse(trace) as Trace).phases
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
