import { formOf } from '../../actors/file-form.ts'
import type { PlainSession } from '../../actors/plain-session.ts'
import type { Plainly } from './plain-parts.ts'
import { sendFile } from './plain-batches.ts'

const fileUrl = 'https://sources.example.com/quota.mp4'
const uploads = '/v1/uploads'
const room = 1_000
/** Longer than a long video takes. */
const idleSeconds = 7_200
const secondMs = 1_000

/** With a limit on what accounts may keep, none is promised more room than it has, and what it gives back it may use again. */
export async function judgeQuota(parts: Plainly): Promise<void> {
  const { own, other, database, deployment } = parts
  const isBusy = (): boolean =>
    database.read("SELECT id FROM videos WHERE status IN ('queued', 'running')").length > 0
  for (let seconds = 0; seconds < idleSeconds && isBusy(); seconds++) await own.pause(secondMs)
  if (isBusy()) return
  // What a rollout ends on its way has come by then.
  const limit = async (bytes: number): Promise<void> => {
    await own.pause(5 * secondMs)
    deployment.reconfigure({ MAX_ACCOUNT_BYTES: `${bytes}` })
  }
  // A file that waits for its video counts like one that is announced.
  await sendFile(own)
  const before = await usedBy(own)
  own.same('what an account uses', before, countedOf(parts))
  const usedByOther = await usedBy(other)
  const most = before + room
  await limit(most)
  const [first] = await openAll(own, [room - 400, 400])
  await own.expect(403, ['POST', uploads, wish(1)])
  own.same('what another account uses', await usedBy(other), usedByOther)
  const theirs = most - usedByOther
  if (theirs > 0) await openAll(other, [theirs])
  await other.expect(403, ['POST', uploads, wish(1)])
  own.same('what an account has promised', await usedBy(own), most)
  await own.expect(204, ['DELETE', `${uploads}/${first ?? ''}`])
  await own.expect(403, ['POST', uploads, wish(room - 399)])
  await openAll(own, [room - 400])
  // What is full takes nothing that grows, and keeps what it has.
  await own.sendAndCancel()
  await limit(most - 1)
  await own.expect(403, ['POST', '/v1/videos', { fileUrl }])
  await own.expect(403, ['POST', '/v1/plans', { fileUrl }])
  await own.expect(403, ['POST', '/v1/batches', { items: [{ fileUrl }] }])
  const form = formOf({ videoName: 'beyond a quota' }, 'a film beyond a quota')
  await own.expect(403, ['POST', '/v1/videos/upload', form])
  await own.expect(200, ['GET', '/v1/videos?limit=7'])
  await limit(0)
  await own.sendAndCancel()
}

/** What was announced counts as if it had come. */
async function openAll(by: PlainSession, sizes: readonly number[]): Promise<string[]> {
  const ids: string[] = []
  for (const bytes of sizes)
    ids.push(String((await by.expect(201, ['POST', uploads, wish(bytes)]))['uploadId']))
  return ids
}

/** What is kept of its videos, and what was announced of files that are not the source of one. */
function countedOf({ database, account }: Plainly): unknown {
  const sql = `SELECT (SELECT coalesce(sum(kept_bytes), 0) FROM usage_totals WHERE account_id = ?1)
    + (SELECT coalesce(sum(size_bytes), 0) FROM uploads WHERE account_id = ?1 AND video_id IS NULL
      AND status NOT IN ('refused', 'dropped')) AS bytes`
  return database.read(sql, account.accountId)[0]?.['bytes']
}

function wish(sizeInBytes: number) {
  return { fileName: 'quota.mp4', sizeInBytes }
}

async function usedBy(by: PlainSession): Promise<number> {
  const { now } = await by.expect(200, ['GET', '/v1/usage'])
  return (now as { storage: { usedBytes: number } }).storage.usedBytes
}
