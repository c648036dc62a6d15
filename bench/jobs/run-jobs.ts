import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describeMachine } from '../machine.ts'
import { createJobs, readJobs, runSingle, untilAllEnded, type Single } from './drive-jobs.ts'
import { cpuLine, judgeLoad, judgeSingles, loadFigures, type Verdict } from './report.ts'
import { serveClip } from './serve-clip.ts'
import { readJobsSettings, type JobsSettings } from './settings.ts'
import { StartedService } from './started-service.ts'

/** Ends with 0 when the limits are kept, 1 when one is not, 130 when stopped. */
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
  { jobs, clients, singles: count }: JobsSettings,
  stop: AbortSignal,
): Promise<number> {
  say(describeMachine())
  // Not counted: code is compiled and programs are read from the disk in it.
  await runSingle(service, clip)
  const singles: Single[] = []
  while (singles.length < count) {
    stop.throwIfAborted()
    singles.push(await runSingle(service, clip))
  }
  const judged: Verdict[] = judgeSingles(singles)
  judged.forEach(({ text }) => say(text))
  say(`\n${jobs} jobs by ${clients} clients`)
  const cpuBefore = service.cpuSeconds()
  const created = await createJobs(service, clip, { jobs, clients, stop })
  await untilAllEnded(service, jobs, stop)
  const cpu = cpuLine(cpuBefore, service.cpuSeconds(), jobs)
  const records = await readJobs(service, created.jobIds)
  for (const line of [...loadFigures(created, records), cpu]) say(line)
  const load = judgeLoad(created, records, service.workerLog())
  load.forEach(({ text }) => say(text))
  say('Statements of D1 per job: held by test/worker/service/job-budget.test.ts')
  const kept = [...judged, ...load].every((verdict) => verdict.kept)
  say(kept ? 'ok' : 'below the limit')
  return kept ? 0 : 1
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
