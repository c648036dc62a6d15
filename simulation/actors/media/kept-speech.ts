import { createHash } from 'node:crypto'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { KeptWindows } from '../../../containers/speech/kept-windows.ts'
import type { World } from '../../engine/world.ts'

export type SpeechParts = {
  serviceWindows: (
    of: { job: MediaJob; signal: AbortSignal; log: () => void },
    keptFor?: 'account',
  ) => Pick<KeptWindows, 'find' | 'keep'>
  waitOut: (ms: number) => Promise<void>
}

/** More than a job may have attempts that keep nothing. */
const windows = 5

/** `onDeath`: the process dies over its work. */
type Hearing = { job: MediaJob; signal: AbortSignal; onDeath: () => void }

/**
 * Hears a film window by window. What an earlier attempt has heard, and the service has kept, is not heard again. Some films are the
 * end of each process that has heard a window of them.
 */
export async function hearWindows(
  world: World,
  parts: SpeechParts,
  { job, signal, onDeath }: Hearing,
): Promise<void> {
  const kept = parts.serviceWindows({ job, signal, log: () => undefined })
  const names = Array.from({ length: windows }, (_, i) =>
    createHash('sha256').update(`window ${i} of ${job.jobId}`).digest('hex'),
  )
  const found = await kept.find(names)
  for (const [name, text] of found) {
    if (text !== textOf(job, name)) world.break(`${job.jobId} was told other words than it kept`)
  }
  for (const name of names.filter((one) => !found.has(one))) {
    await parts.waitOut(1_000 + 8_000 * world.draw(`hearing ${name}`))
    signal.throwIfAborted()
    await kept.keep(name, textOf(job, name))
    if (!world.faults.strikes('file kills', `the hearing of ${job.jobId}`)) continue
    onDeath()
    await parts.waitOut(3_600_000)
  }
}

/** Asks for what an earlier job of the account has heard of the same files with the same engine, or keeps it. */
export async function rememberWords(
  world: World,
  parts: SpeechParts,
  {
    job,
    signal,
    hashes,
    engine,
  }: { job: MediaJob; signal: AbortSignal; hashes: readonly string[]; engine: string },
): Promise<void> {
  const words = parts.serviceWindows({ job, signal, log: () => undefined }, 'account')
  const name = createHash('sha256').update(`words in ${hashes.join()}`).digest('hex')
  const own = `words of ${job.account} in ${name}, heard by ${engine}`
  const found = (await words.find([name])).get(name)
  if (found === undefined) await words.keep(name, own)
  else if (found !== own) world.break(`${job.jobId} was told other words: ${found}`)
}

function textOf({ jobId }: MediaJob, name: string): string {
  return `words of ${jobId} in ${name}`
}
