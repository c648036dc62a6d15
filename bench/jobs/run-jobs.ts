import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeMachine } from '../machine.ts'
import { createJobs, readJobs, runSingle, untilAllEnded, type Single } from './drive-jobs.ts'
import { spentBetween, usageWith, type Usage } from './processor-time.ts'
import { judgeLoad, judgeSingles, loadFigures } from './report.ts'
import { serveClip } from './serve-clip.ts'
import { readJobsSettings, type JobsSettings } from './settings.ts'
import { StartedService } from './started-service.ts'
import type { Verdict } from './verdict.ts'

/** Returns 0 if the limits are kept, 1 if one is not, 130 if it was stopped. */
export async function runJobs(args: readonly string[], stop: AbortSignal): Promise<number> {
  const settings = readJobsSettings(args)
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-bench-'))
  try {
    const clip = await serveClip(folder)
    try {
      const service = await StartedService.start(folder, stop)
      try {
        return await measure(service, clip.url, settings, stop)
      } finally {
        await service.stop()
      }
    } finally {
      clip.close()
    }
  } catch (error) {
    if (stop.aborted) return 130
    throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  service: StartedService,
  clip: string,
  settings: JobsSettings,
  stop: AbortSignal,
): Promise<number> {
  say(describeMachine())
  const judged = [
    ...(await measureSingles(service, clip, settings, stop)),
    ...(await measureLoad(service, clip, settings, stop)),
  ]
  say('Statements of D1 per job: held by test/worker/service/job-budget.test.ts')
  const kept = judged.every((verdict) => verdict.kept)
  const isOpen = judged.some((verdict) => verdict.isOpen)
  say(kept ? `ok${isOpen ? ', as far as it was judged' : ''}` : 'below the limit')
  return kept ? 0 : 1
}

async function measureSingles(
  service: StartedService,
  clip: string,
  { singles: count }: JobsSettings,
  stop: AbortSignal,
): Promise<Verdict[]> {
  // This run is not counted: it compiles code and reads programs from disk.
  await runSingle(service, clip)
  const before = usageWith(service.cpuSeconds())
  const singles: Single[] = []
  while (singles.length < count) {
    stop.throwIfAborted()
    singles.push(await runSingle(service, clip))
  }
  const spent = spentSince(service, before, count)
  const verdicts = judgeSingles(singles, spent?.othersCores ?? 0)
  verdicts.forEach(({ text }) => say(text))
  return verdicts
}

async function measureLoad(
  service: StartedService,
  clip: string,
  { jobs, clients }: JobsSettings,
  stop: AbortSignal,
): Promise<Verdict[]> {
  say(`\n${jobs} jobs by ${clients} clients`)
  const before = usageWith(service.cpuSeconds())
  const created = await createJobs(service, clip, { jobs, clients, stop })
  await untilAllEnded(service, jobs, stop)
  const spent = spentSince(service, before, jobs)
  const records = await readJobs(service, created.jobIds)
  const notKnown = 'processor time a job: not known on this system'
  for (const line of [...loadFigures(created, records), ...(spent?.lines ?? [notKnown])]) say(line)
  const othersCores = spent?.othersCores ?? 0
  const verdicts = [
    ...(spent ? [spent.verdict] : []),
    ...judgeLoad(created, records, { log: service.workerLog(), othersCores }),
  ]
  verdicts.forEach(({ text }) => say(text))
  return verdicts
}

function spentSince(service: StartedService, before: Usage | undefined, jobs: number) {
  const after = usageWith(service.cpuSeconds())
  return before && after && spentBetween(before, after, jobs)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
