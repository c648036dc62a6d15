import type { MediaJob } from '../../worker/contract/job/media-job.ts'
import type { PartJob } from '../../worker/contract/job/part-job.ts'
import type { World } from '../engine/world.ts'
import type { StoringParts } from './media/store-parts.ts'

type Forging = { job: MediaJob; signal: AbortSignal }
type Forged = { url: string; key: string; fence: number }

/** How often a forgery is tried. */
const share = 0.05
const shareOfParts = 0.3

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

/** Sends reports about other parts, and other tries of a part, than the one that a media worker was given. */
export async function forgePartReports(
  world: World,
  { signedPost }: Pick<StoringParts, 'signedPost'>,
  { job, signal }: { job: PartJob; signal: AbortSignal },
): Promise<void> {
  const { jobId, fence, n, try: number, reports } = job
  if (world.draw(`forgery of part ${n} of ${jobId}/${fence}`) >= shareOfParts) return
  const others = [
    { fence: fence + 1, n, try: number },
    { fence, n: n + 1, try: number },
    { fence, n, try: number + 1 },
  ]
  for (const other of others) {
    const path = `/attempts/${other.fence}/parts/${other.n}/${other.try}/reports`
    const url = reports.url.replace(/\/attempts\/.*$/, path)
    const body = { type: 'failed', message: 'Forged.', ...other }
    const answer = await signedPost({ url, key: reports.key, body, signal }).catch(() => undefined)
    signal.throwIfAborted()
    if (answer && answer.status !== 401 && answer.status < 500)
      world.break(`a forged report about ${path} of ${jobId} was answered ${answer.status}`)
  }
}
