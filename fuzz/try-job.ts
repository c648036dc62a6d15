import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { aJob } from '../test/support/containers/a-job.ts'
import { startMediaWorker, type MediaWorker } from '../test/support/containers/media-worker.ts'
import { startReceiver, type Receiver } from '../test/support/containers/receiver.ts'
import { startSources, type SourceServer } from '../test/support/containers/sources.ts'
import type { FuzzCase } from './make-case.ts'
import { judgeFailure, type Outcome } from './outcome.ts'
import { sourceFields } from './try-plan.ts'

/** The files are small, so a job that takes longer than this hangs, even on a busy machine. */
const patienceMs = 300_000
/** The media worker keeps no model and no file, so memory above this has leaked. */
const mostResidentBytes = 600 * 1024 ** 2

/** The media worker that runs all whole jobs of a campaign. */
export class JobRunner {
  readonly #worker: MediaWorker
  readonly #sources: SourceServer
  #jobs = 0

  private constructor(worker: MediaWorker, sources: SourceServer) {
    this.#worker = worker
    this.#sources = sources
  }

  static async start(): Promise<JobRunner> {
    return new JobRunner(await startMediaWorker(), await startSources())
  }

  /** Runs a case as a whole job, and then an undamaged one. */
  async try(fuzzCase: FuzzCase, sound: FuzzCase): Promise<Outcome> {
    const outcome = await this.#run(fuzzCase)
    if (outcome.kind === 'fault') return outcome
    const next = await this.#run(sound)
    if (next.kind !== 'succeeded') {
      return { kind: 'fault', what: `the next job did not succeed: ${JSON.stringify(next)}` }
    }
    const bytes = await residentBytes(this.#worker.pid)
    if (bytes <= mostResidentBytes) return outcome
    return { kind: 'fault', what: `the media worker holds ${bytes} bytes` }
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
    await this.#sources.close()
  }

  async #run({ kind, source, element, options }: FuzzCase): Promise<Outcome> {
    const receiver = await startReceiver({ partSizeBytes: 50_000_000 })
    const jobId = `j_${String(++this.#jobs).padStart(16, '0')}`
    const elements = element && [
      { type: element.type, url: this.#serve(`/${jobId}/e`, element.bytes) },
    ]
    const job = aJob({
      inputs: [{ url: this.#serve(`/${jobId}/s`, source), ...sourceFields(kind) }],
      reportsUrl: receiver.reportsUrl,
      options,
      jobId,
    })
    try {
      const withElements = { ...job, options: { ...job.options, ...(elements && { elements }) } }
      const answer = await this.#offer(withElements)
      if (answer !== 202) return { kind: 'fault', what: `the media worker answered ${answer}` }
      return await this.#ending(receiver)
    } finally {
      await receiver.close()
    }
  }

  /** Tries again, because the slot of the previous job becomes free a moment after its last report. */
  async #offer(job: unknown): Promise<number> {
    for (let tries = 0; ; tries++) {
      const { status } = await this.#worker.post('/jobs', job).catch(() => ({ status: 0 }))
      if (status !== 503 || tries === 100) return status
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async #ending(receiver: Receiver): Promise<Outcome> {
    const over = once(AbortSignal.timeout(patienceMs), 'abort').then((): Outcome => {
      return { kind: 'fault', what: `no end within ${patienceMs / 1000} s` }
    })
    const died = this.#worker.exited.then((code): Outcome => {
      return { kind: 'fault', what: `the media worker ended with ${code}` }
    })
    const ended = receiver
      .when(({ type }) => type === 'failed' || type === 'succeeded')
      .then(async (report): Promise<Outcome> => {
        if (report.type === 'failed') return judgeFailure(report.reason, report.message)
        return isPlayable(receiver.output())
      })
    return Promise.race([ended, over, died])
  }

  #serve(route: string, bytes: Buffer): string {
    return this.#sources.route(route, (_request, response) => {
      response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
    })
  }
}

async function isPlayable(bytes: Buffer): Promise<Outcome> {
  const file = path.join(tmpdir(), `spool-fuzz-out-${process.pid}-${performance.now()}`)
  await writeFile(file, bytes)
  try {
    const args = ['-v', 'error', '-i', file, '-map', '0:v:0', '-f', 'framecrc', '-']
    const limits = { maxBuffer: 1024 ** 3 }
    const { stdout } = await promisify(execFile)('ffmpeg', args, limits)
    return /^0,/m.test(stdout)
      ? { kind: 'succeeded' }
      : { kind: 'fault', what: 'no picture came out' }
  } catch (error) {
    return { kind: 'fault', what: `the result does not play: ${String(error).slice(0, 500)}` }
  } finally {
    await rm(file, { force: true })
  }
}

/** Zero without /proc. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024
}
