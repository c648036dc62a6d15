import { AppError, invalidRequest, type FieldFault } from '../../contract/answers/errors.ts'
import { batchLimits } from '../../contract/limits.ts'
import type { CreateVideo } from '../../contract/options/create-video.ts'
import type { Env } from '../../settings.ts'
import { findSource, type FoundSource } from '../videos/source-of-video.ts'
import type { Sourced } from '../videos/submit-video.ts'
import { inItem } from './judge-batch.ts'

const fields = ['uploadId', 'sourceVideoId'] as const

/** Finds the uploads and the earlier videos that items name as sources, each of them once. */
export async function findSources(
  env: Env,
  accountId: string,
  requests: readonly CreateVideo[],
  now: number,
): Promise<Sourced[]> {
  const named = requests.map((request) => {
    const field = fields.find((one) => request[one] !== undefined)
    return field && { field, id: request[field] ?? '' }
  })
  refuseBadLists(named)
  const found = new Map<string, FoundSource | AppError>()
  for (const [i, one] of named.entries()) {
    if (!one || found.has(one.id)) continue
    found.set(one.id, await findSource(env, accountId, requests[i] ?? {}, now).catch(faultOf))
  }
  const faults: FieldFault[] = []
  const sourced = requests.map((request, i): Sourced => {
    const one = named[i]
    const known = one && found.get(one.id)
    if (known instanceof AppError) {
      const message = known.message.replace('sourceVideoId: there', 'There')
      faults.push(inItem(i, { field: one?.field ?? '', message }))
    }
    if (!known || known instanceof AppError) return { request }
    const { addresses, ...held } = known
    return { request: { ...request, ...addresses }, ...held }
  })
  if (faults.length > 0) throw invalidRequest(faults)
  return sourced
}

/** Refuses a batch that uses one upload twice: an upload is the source of one video. */
function refuseBadLists(
  named: readonly ({ field: (typeof fields)[number]; id: string } | undefined)[],
): void {
  const firsts = new Map<string, number>()
  const faults: FieldFault[] = []
  for (const [i, one] of named.entries()) {
    if (!one) continue
    const first = firsts.get(one.id)
    firsts.set(one.id, first ?? i)
    if (one.field === 'sourceVideoId' || first === undefined) continue
    const message = `Is used by items[${first}] already; an upload becomes one video`
    faults.push(inItem(i, { field: one.field, message }))
  }
  if (firsts.size > batchLimits.sources) {
    const message = `May name at most ${batchLimits.sources} uploads and earlier videos, not ${firsts.size}; make several batches of them`
    faults.push({ field: 'items', message })
  }
  if (faults.length > 0) throw invalidRequest(faults)
}

/** An error that the customer can do something about becomes a fault of the item. */
function faultOf(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error
  throw error
}
