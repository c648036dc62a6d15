import { partsAnswers, windowsAtOnce } from '../../../worker/contract/job/part-job.ts'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import { JobStop } from '../../errors/job-error.ts'
import { stackOf, type Log } from '../../errors/log.ts'
import type { KeptTexts } from '../../speech/kept-windows.ts'
import { askOfParts } from '../part/ask-of-parts.ts'

type Keeping = {
  readonly job: Pick<MediaJob, 'fence' | 'reports'>
  readonly signal: AbortSignal
  readonly log: (...line: Parameters<Log>) => void
  readonly pausesMs?: readonly number[]
}

/** A service that is restarting is not waited for long, because a window can be transcribed again in seconds. */
const defaultPausesMs = [500, 2_000]

/** The questions about texts that the service keeps until the job ends, and about those for later jobs of the account. */
const asks = {
  job: { find: 'kept', keep: 'keep' },
  account: { find: 'recall', keep: 'remember' },
} as const

export function serviceWindows(
  { log, pausesMs = defaultPausesMs, ...of }: Keeping,
  keptFor: keyof typeof asks = 'job',
): KeptTexts {
  const { fence } = of.job
  const ask = asks[keptFor]
  let isOff = false
  /** Does the work and returns true; if it fails, logs that and returns false. */
  const succeedsOrLogs = async (message: string, work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      of.signal.throwIfAborted()
      if (error instanceof JobStop) throw error
      log('warn', message, { fault: stackOf(error) })
      return false
    }
  }
  return {
    isOff: () => isOff,
    async find(names) {
      const found = new Map<string, string>()
      if (isOff) return found
      await succeedsOrLogs('The service did not tell what was heard before', async () => {
        for (let at = 0; at < names.length; at += windowsAtOnce) {
          const some = names.slice(at, at + windowsAtOnce)
          const asked = { ask: ask.find, fence, names: some }
          const answer = await askOfParts({ ...of, pausesMs }, asked, partsAnswers.recall)
          const { windows } = answer
          isOff ||= answer.off
          for (const { name, text } of windows) found.set(name, text)
        }
      })
      return found
    },
    async keep(name, text) {
      if (isOff) return false
      const isDone = await succeedsOrLogs('What was heard was not kept', async () => {
        const asked = { ask: ask.keep, fence, name, text }
        const { off } = await askOfParts({ ...of, pausesMs }, asked, partsAnswers.remember)
        isOff ||= off
      })
      return isDone && !isOff
    },
  }
}
