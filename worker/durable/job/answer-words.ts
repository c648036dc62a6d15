import type { PartsAnswer, PartsRequest } from '../../contract/job/part-job.ts'
import { findWords, keepWords } from '../../store/kept-words.ts'
import type { RunnerParts } from './job-end.ts'
import type { Running, RunState } from './job-memory.ts'

/**
 * Keeps the words that an attempt has heard for later videos of the account, and answers with those that earlier ones
 * have heard. These are kept for this video too, so that they outlast the other video and their time begins again.
 */
export async function answerWords(
  { env, settings }: Pick<RunnerParts, 'env' | 'settings'>,
  { videoId, running }: RunState & { running: Running },
  request: Extract<PartsRequest, { ask: 'remember' | 'recall' }>,
  onKept: (name: string) => void,
): Promise<PartsAnswer> {
  const { engine, film } = running
  const now = Date.now()
  const expiresAt = now + settings.keptWordsMs
  const off = settings.keptWordsMs === 0
  const nothing = request.ask === 'recall' ? { windows: [], off } : { off }
  if (off || engine === undefined) return nothing
  const keeper = { accountId: film.accountId, videoId, engine }
  if (request.ask === 'remember') {
    const { name, text } = request
    await keepWords(env, keeper, { name, text, expiresAt })
    onKept(name)
    return nothing
  }
  const found = await findWords(env, keeper, { names: request.names, now })
  if (!found) return nothing
  await keepWords(env, keeper, { ...found, expiresAt })
  return { windows: [found], off }
}
