import type { MediaJob } from '../../worker/contract/job/media-job.ts'
import type { World } from '../engine/world.ts'
import type { StoringParts } from './media/store-parts.ts'

type Forging = { job: MediaJob; signal: AbortSignal }
type Forged = { url: string; key: string; fence: number }

/** How often a forgery is tried. */
const share = 0.05

/**
 * Sends a report about a job without its key, and one with the key of another attempt. Neither may be believed, or get any
 * information.
 */
export async function forgeReports(
  world: World,
  { signedPost }: Pick<StoringParts, 'signedPost'>,
  { job, signal }: Forging,
): Promise<void> {
  const { jobId, fence, reports } = job
  if (world.draw(`forgery of ${jobId}/${fence}`) >= share) return
  const { url, key } = reports
  const next = fence + 1
  const another = url.replace(`/attempts/${fence}/`, `/attempts/${next}/`)
  const forged: readonly (readonly [what: string, Forged])[] = [
    ['with another key', { url, key: `not ${key}`, fence }],
    ['of another attempt', { url, key, fence: next }],
    ['to the address of another attempt', { url: another, key, fence: next }],
  ]
  for (const [what, { fence: named, ...to }] of forged) {
    const failed = { type: 'failed', reason: 'internal', message: 'Forged.', retryable: false }
    const trace = { phases: [], commands: [] }
    const body = { ...failed, trace, fence: named, sequence: 1_000_000 }
    const answer = await signedPost({ ...to, body, signal }).catch(() => undefined)
    signal.throwIfAborted()
    if (answer && answer.status !== 401 && answer.status < 500)
      world.break(`a report about ${jobId} ${what} was answered ${answer.status}`)
  }
}
