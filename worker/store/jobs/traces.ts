import { attemptTrace, type AttemptTrace } from '../../contract/job/report.ts'
import { callStorage } from '../database.ts'

/** The part of a trace that stands in the row of its attempt. `key`: the object with the whole trace. */
export type StoredTrace = AttemptTrace & { key?: string }

/**
 * The prefix of everything that attempts leave besides files. It belongs to one video alone, unlike its files, which are
 * removed long before the record or stay for other videos.
 */
export function tracePrefix(videoId: string): string {
  return `traces/${videoId}/`
}

/**
 * Writes a trace to the bucket and returns the part that stays in the row, where the triggers of usage read it. An attempt
 * that claims the job again has another fence, so no trace overwrites another.
 */
export async function putTrace(
  bucket: R2Bucket,
  { videoId, fence }: { videoId: string; fence: number },
  trace: AttemptTrace,
): Promise<StoredTrace> {
  const key = `${tracePrefix(videoId)}${fence}.json`
  const httpMetadata = { contentType: 'application/json' }
  await callStorage(() => bucket.put(key, JSON.stringify(trace), { httpMetadata }))
  // A version that does not know the key shows the attempt without its commands.
  const { phases, processorMs, fault } = trace
  const told = { ...(processorMs !== undefined && { processorMs }), ...(fault && { fault }) }
  return { phases, commands: [], ...told, ...countedOf(trace), key }
}

function countedOf({ plan }: AttemptTrace): Pick<AttemptTrace, 'plan'> {
  if (typeof plan !== 'object' || plan === null || Array.isArray(plan)) return {}
  const failed = ['copyFailed', 'partsFailed'].filter((name) => plan[name] === true)
  if (failed.length === 0) return {}
  return { plan: Object.fromEntries(failed.map((name) => [name, true])) }
}

/** Undefined if the object is gone. */
export async function findTrace(bucket: R2Bucket, key: string): Promise<AttemptTrace | undefined> {
  return callStorage(async () => {
    const object = await bucket.get(key)
    return object ? attemptTrace.parse(await object.json()) : undefined
  })
}
