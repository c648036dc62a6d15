import { z } from 'zod'
import { jsonOf } from '../../worker/contract/input/parse-input.ts'
import { StopWithMessage } from '../machine/stop-with-message.ts'

export type Hub = { readonly baseUrl: string; readonly stop: AbortSignal }

const answerPatienceMs = 30_000
/** The list of a model has a few kilobytes. */
const longestAnswer = 8_000_000

const commit = z.string().regex(/^[0-9a-f]{40}$/)
const revision = z.object({
  sha: commit,
  cardData: z
    .object({ license: z.string().max(100).nullish() })
    .nullish()
    .catch(undefined),
})

/** A small file has the hash that git has for it; a large one has that of its content. */
const listedFile = z.object({
  type: z.literal('file'),
  path: z.string(),
  size: z.int().min(0),
  oid: commit,
  lfs: z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().min(0) }).nullish(),
})
const tree = z.array(z.union([listedFile, z.object({ type: z.string() })]))

/** A file of a model as the hub lists it. */
export type HubFile = {
  readonly path: string
  readonly size: number
  readonly checksum: { readonly kind: 'sha256' | 'git'; readonly hex: string }
}

export async function newestCommit(
  hub: Hub,
  repository: string,
): Promise<{ readonly commit: string; readonly licence: string | undefined }> {
  const { sha, cardData } = await ask(hub, `/api/models/${repository}/revision/main`, revision)
  return { commit: sha, licence: cardData?.license ?? undefined }
}

export async function listFiles(hub: Hub, repository: string, at: string): Promise<HubFile[]> {
  const entries = await ask(hub, `/api/models/${repository}/tree/${at}?recursive=true`, tree)
  return entries.flatMap((entry): HubFile[] => {
    if (!('path' in entry)) return []
    const { path, size, oid, lfs } = entry
    return lfs
      ? [{ path, size: lfs.size, checksum: { kind: 'sha256', hex: lfs.oid } }]
      : [{ path, size, checksum: { kind: 'git', hex: oid } }]
  })
}

export function addressOf({ baseUrl }: Hub, repository: string, at: string, path: string): string {
  return `${baseUrl}/${repository}/resolve/${at}/${path}`
}

async function ask<Answer>(hub: Hub, route: string, shape: z.ZodType<Answer>): Promise<Answer> {
  const url = `${hub.baseUrl}${route}`
  const signal = AbortSignal.any([hub.stop, AbortSignal.timeout(answerPatienceMs)])
  const text = await reach(hub, async () => {
    const response = await fetch(url, { signal, headers: { Accept: 'application/json' } })
    if (!response.ok) throw refused(url, response.status)
    return response.text()
  })
  const parsed = shape.safeParse(text.length > longestAnswer ? undefined : jsonOf(text))
  if (parsed.success) return parsed.data
  throw new StopWithMessage(
    `${url} gave no answer of a model hub. SPOOL_MODELS_URL names the hub, or a mirror with the same addresses.`,
    1,
    { cause: parsed.error },
  )
}

export function refused(url: string, status: number): StopWithMessage {
  return new StopWithMessage(`${url} was answered with ${status}.`)
}

/** Says plainly that there is no network, or not this hub. */
export async function reach<Result>(
  { baseUrl, stop }: Hub,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StopWithMessage || stop.aborted) throw error
    throw new StopWithMessage(
      `${baseUrl} cannot be reached: ${reasonOf(error)}.
Without a network, copy the folder of a model from another machine and name it in SPEECH_MODEL_DIR.
SPOOL_MODELS_URL names a mirror.`,
      1,
      { cause: error },
    )
  }
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer in time'
  return error.cause instanceof Error ? error.cause.message : error.message
}
