import type { z } from 'zod'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { PartsRequest } from '../../../worker/contract/job/part-job.ts'
import { JobStop } from '../../errors/job-error.ts'
import { retried } from '../../errors/retried.ts'
import { isUnwanted, signedPost } from '../report/signed-post.ts'

type Asking = {
  readonly job: Pick<MediaJob, 'reports'>
  readonly signal: AbortSignal
  readonly pausesMs?: readonly number[]
}

/** A service that restarts is back within seconds. */
const defaultPausesMs = [500, 1_000, 2_000, 5_000, 10_000]

/** Asks the service about the parts of this job's film. Every request may be repeated. */
export async function askOfParts<Answer>(
  { job, signal, pausesMs = defaultPausesMs }: Asking,
  body: PartsRequest,
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const { url, key } = job.reports
  const waitAfter = (error: unknown, pauseMs: number | undefined): number => {
    signal.throwIfAborted()
    if (error instanceof JobStop || pauseMs === undefined) throw error
    return pauseMs
  }
  return retried({ pausesMs, signal, waitAfter }, async () => {
    const response = await signedPost({ url: `${url}/parts`, key, body, signal })
    if (response.ok) return schema.parse(await response.json())
    await response.body?.cancel()
    if (isUnwanted(response.status)) throw new JobStop('stopped')
    throw new Error(`The service answered ${response.status} when asked about parts`)
  })
}
