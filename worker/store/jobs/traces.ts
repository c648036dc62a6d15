import { attemptTrace, type AttemptTrace } from '../../contract/job/report.ts'
import { callStorage } from '../database.ts'

/** What the row of an attempt has of its trace. `key`: the object that has all of it. */
export type StoredTrace = AttemptTrace & { key?: string }

/**
 * Whatever attempts leave beside files: it goes with this video alone. Not below the prefix of the files, which are removed long
 * before the record, or stay for other videos.
 */
export function tracePrefix(videoId: string): string {
  return `traces/${videoId}/`
}

/**
 * Writes a trace to the bucket and returns what is left for the row: what the triggers of usage read there.
 * An attempt that claims the job again has another fence, so no trace takes the place of another one.
 */
export async function putTrace(
  bucket: R2Bucket,
  { videoId, fence }: { videoId: string; fence: number },
  trace: AttemptTrace,
): Promise<StoredTrace> {
  const key = `${tracePrefix(videoId)}${fence}.json`
  const httpMetadata = { contentType: 'application/json' }
  await callStorage(() => bucket.put(key, JSON.stringify(trace), { httpMetadata }))
  // A version that does not know the key shows an attempt without commands.
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
