import type { PartJob } from '../../../worker/contract/job/part-job.ts'
import { endOf, JobStop, releasePatienceMs } from '../../errors/job-error.ts'
import { stackOf } from '../../errors/log.ts'
import { bytesIn } from '../disk-room.ts'
import type { JobRun, JobTold, StartedJob } from '../job-context.ts'
import { inJobFolder, type FolderInUse } from '../job-folder.ts'
import { fetchNamed } from './fetch-named.ts'
import { PartReporter, type PartEnding } from './part-reporter.ts'

type PartRun = Omit<JobRun, 'job' | 'takeSlot'> & { readonly job: PartJob }

/** Renders a part of a film for the media worker that leads it, which learns about it from the service. */
export function startPart(run: PartRun): StartedJob {
  const { job, log, controller } = run
  const onStop = (): void => controller.abort(new JobStop('stopped'))
  const reporter = new PartReporter({ job, log, onStop })
  const place: FolderInUse = { folder: undefined }
  const work = async (folder: string) => render(run, reporter, folder)
  const ending = inJobFolder(run, work, place).catch((error: unknown) => endingOf(error, run))
  const done = ending
    .then(async (how) => {
      log('info', 'Part ended', { n: job.n, outcome: how?.type ?? 'stopped' })
      if (how === undefined) return reporter.close()
      await reporter.finish(how, how.type === 'released' ? releasePatienceMs : undefined)
    })
    .catch((error: unknown) =>
      log('error', 'A part ended without a report', { fault: stackOf(error) }),
    )
  return {
    worked: ending.then(() => undefined),
    done,
    trace: () => ({ phases: [], commands: [] }),
    // A part is short, and the lead can render it as well.
    msLeft: () => Infinity,
    diskBytes: async () => (place.folder === undefined ? 0 : bytesIn(place.folder)),
    tellPlace: () => undefined,
  }
}

async function render(run: PartRun, reporter: PartReporter, folder: string): Promise<PartEnding> {
  const { job, settings, processes, log, controller } = run
  const { signal } = controller
  const onTold = (told: JobTold): void => {
    if (told.type === 'encoded') reporter.progress(told)
    if (told.type === 'log') log(told.level, told.message, told.fields)
  }
  const { files, reports } = job
  await fetchNamed({ files, folder, settings, reportsUrl: reports.url, signal })
  const done = await processes.work({ task: { part: job }, folder, signal, onTold })
  if (done.type !== 'done') throw new Error('A part ended as a whole job')
  return done
}

/** Returns undefined for a part that is not wanted, so that no report is sent. */
function endingOf(error: unknown, { job, log, controller }: PartRun): PartEnding | undefined {
  const failure = endOf(error, controller.signal)
  if (failure === undefined) return undefined
  if (failure === 'released') return { type: 'released' }
  log('warn', 'A part failed', { n: job.n, reason: failure.reason, fault: stackOf(failure) })
  return { type: 'failed', message: failure.message.slice(0, 500) }
}
