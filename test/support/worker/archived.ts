import { sweepArchive } from '../../../worker/queue/sweep-archive.ts'
import { sweepObjects } from '../../../worker/queue/sweep-objects.ts'
import { bindings } from './bindings.ts'
import { advanceSeconds } from './clock.ts'

const day = 86_400

/** Lets the files of all videos expire, and lets the sweep archive those that are due. */
export async function archiveAll(days = 91): Promise<void> {
  advanceSeconds(days * day)
  await sweepObjects(bindings, Date.now())
  await sweepArchive(bindings, Date.now())
}

/** Every key of the account's archive. */
export async function archiveKeys(accountId: string): Promise<string[]> {
  const { objects } = await bindings.BUCKET.list({ prefix: `archive/${accountId}/` })
  return objects.map(({ key }) => key)
}
