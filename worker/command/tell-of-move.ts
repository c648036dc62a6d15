import { jobRunner } from '../durable/job-runner.ts'
import { keyGate } from '../durable/key-gate.ts'
import { webhookEndpoint } from '../durable/webhook-endpoint.ts'
import { inShard } from '../service/shards.ts'
import type { Env } from '../settings.ts'
import type { MoveRow } from '../store/move-tables.ts'
import { listKeyHashes, listOpenJobs, listReceivers } from '../store/told-of-move.ts'

const atOnce = 16
/** An attempt that ended this long ago may still have a result to record. */
const recentMs = 3_600_000

/** Requests with a key of the account go to the other database from now on. */
export async function tellGates(env: Env, { accountId, toShard }: MoveRow): Promise<void> {
  const hashes = await listKeyHashes(env.HOME, accountId)
  await forEach(hashes, async (hash) => keyGate(env, hash).changeShard(toShard))
}

/** So do reports, alarms and webhooks, which come without a key. */
export async function tellObjects(
  env: Env,
  { accountId, toShard }: MoveRow,
  now: number,
): Promise<void> {
  const { DB } = inShard(env, toShard)
  await forEach(await listOpenJobs(DB, accountId), async (jobId) =>
    jobRunner(env, jobId).movedTo(toShard),
  )
  await forEach(await listReceivers(DB, accountId, now - recentMs), async (url) =>
    webhookEndpoint(env, accountId, url).movedTo(toShard),
  )
}

async function forEach<One>(
  all: readonly One[],
  work: (one: One) => Promise<unknown>,
): Promise<void> {
  const rest = [...all]
  const workRest = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, workRest))
}
