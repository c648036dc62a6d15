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

/** More than the attempts that a job may have without keeping anything. */
const windows = 5

/** `onDeath`: called when the process dies during its work. */
type Hearing = { job: MediaJob; signal: AbortSignal; onDeath: () => void }

/**
 * Transcribes a film window by window. Windows that an earlier attempt has transcribed, and the service has kept, are not
 * transcribed again. Some films kill each process that has transcribed a window of them.
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

/** Asks for the words that an earlier job of the account transcribed from the same files with the same engine, or keeps them. */
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
