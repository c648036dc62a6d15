import path from 'node:path'
import { rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { MediaJob } from '../../../worker/contract/job/media-job.ts'
import {
  partsAnswers,
  partsOfARound,
  type IdleSlots,
  type PartTry,
  type ToldPart,
  type PartFile,
  type PartsRequest,
} from '../../../worker/contract/job/part-job.ts'
import { stackOf, type Log } from '../../errors/log.ts'
import { untilAborted } from '../../errors/until-aborted.ts'
import { hashFile } from '../../parts/make/render-part.ts'
import type {
  HearTask,
  PartCarrier,
  PartProgress,
  PartResult,
  PartTask,
} from '../../parts/part-carrier.ts'
import type { JobContext, WorkSettings } from '../job-context.ts'
import { askOfParts } from './ask-of-parts.ts'
import { fetchNamed } from './fetch-named.ts'
import { uploadFile } from '../report/upload-output.ts'

type CarryingContext = {
  readonly job: MediaJob
  readonly settings: WorkSettings
  readonly folder: string
  readonly log: (...line: Parameters<Log>) => void
  /** The signal of the whole job. */
  readonly signal: AbortSignal
  readonly trace: Pick<JobContext['trace'], 'processor'>
  /** How often to ask about the parts that are being rendered. */
  readonly askMs?: number
  readonly pausesMs?: readonly number[]
}

type ArrivedPart = Extract<ToldPart, { state: 'stored' }>
type WatchedPart = PartTry & {
  readonly onProgress: PartProgress
  readonly ended: PromiseWithResolvers<ArrivedPart>
}

/** Slots of stopped parts count as idle for this long: by then the service has learnt that they are. */
const freedMs = 5_000

/** Has other media workers render parts: the service hands the parts out, and this class asks about them. */
export class ServiceParts implements PartCarrier {
  fault?: string
  readonly #context: CarryingContext
  readonly #files: PartFiles
  readonly #tries = new Map<number, number>()
  readonly #watched = new Set<WatchedPart>()
  #stoppedAt: number[] = []
  #round = -1
  #watching: Promise<void> | undefined

  constructor(context: CarryingContext) {
    this.#context = context
    this.#files = new PartFiles(context)
  }

  begin(): void {
    this.#round++
  }

  async idle(): Promise<IdleSlots> {
    const { job, log } = this.#context
    try {
      const asked = { ask: 'idle', fence: job.fence } as const
      const once = { ...this.#context, pausesMs: [] }
      const { idle, beside } = await askOfParts(once, asked, partsAnswers.idle)
      return { idle: Math.max(idle, this.#justFreed()), beside }
    } catch (error) {
      this.#context.signal.throwIfAborted()
      // This machine can always render the film alone.
      log('warn', 'The service did not tell who could take parts', { fault: stackOf(error) })
      return { idle: 0, beside: 0 }
    }
  }

  async hear(task: HearTask, signal: AbortSignal): Promise<PartResult | undefined> {
    return this.run(task, signal, () => undefined)
  }

  async run(
    { n, spec }: PartTask | HearTask,
    signal: AbortSignal,
    onProgress: PartProgress,
  ): Promise<PartResult | undefined> {
    const context = { ...this.#context, signal: AbortSignal.any([signal, this.#context.signal]) }
    const { job } = context
    const { fence } = job
    const names = spec.files.map(({ name }) => name)
    // Uploading files that no media worker will read is not worth it.
    if (!this.#files.hasAll(names) && (await this.idle()).idle === 0) return undefined
    const files = await this.#files.store(names)
    const part = this.#nextTry(n + Math.max(0, this.#round) * partsOfARound)
    try {
      const given = { ask: 'give', fence, ...part, spec, files } as const
      const { taken } = await askOfParts(context, given, partsAnswers.give)
      if (!taken) {
        this.#untry(part)
        return undefined
      }
      const { url, result } = await this.#untilStored({ ...part, onProgress }, context.signal)
      const file = `part-${part.n}-${part.try}`
      this.#context.trace.processor(result.cpuMs)
      await this.#fetch({ file, url, ...result }, context.signal)
      const { sizeBytes, sha256, pictures, cpuMs, edges } = result
      return { n, file, sizeBytes, sha256, pictures, cpuMs, edges }
    } catch (error) {
      // The other media worker must not go on in vain. When the whole job ends, the service ends all parts itself.
      if (!this.#context.signal.aborted) await this.#stop(part)
      throw error
    }
  }

  /** How many slots its parts have just left: a film that is begun again at another quality can use them. */
  #justFreed(): number {
    const since = performance.now() - freedMs
    this.#stoppedAt = this.#stoppedAt.filter((at) => at > since)
    return this.#stoppedAt.length
  }

  #nextTry(n: number): PartTry {
    const number = (this.#tries.get(n) ?? 0) + 1
    this.#tries.set(n, number)
    return { n, try: number }
  }

  /** Takes a try back: no media worker has the part, so the number can be used again. */
  #untry({ n, try: number }: PartTry): void {
    if (this.#tries.get(n) === number) this.#tries.set(n, number - 1)
  }

  async #untilStored(part: Omit<WatchedPart, 'ended'>, signal: AbortSignal): Promise<ArrivedPart> {
    const watched = { ...part, ended: Promise.withResolvers<ArrivedPart>() }
    this.#watched.add(watched)
    this.#watching ??= this.#watch().finally(() => (this.#watching = undefined))
    return untilAborted(watched.ended.promise, signal).finally(() => this.#watched.delete(watched))
  }

  /** Asks about all parts at once, while any are being rendered. */
  async #watch(): Promise<void> {
    const { job, signal, askMs = 1_000 } = this.#context
    while (this.#watched.size > 0 && !signal.aborted) {
      await pause(askMs, undefined, { signal }).catch(() => undefined)
      const asked = [...this.#watched]
      if (asked.length === 0 || signal.aborted) return
      const parts = asked.map(({ n, try: number }) => ({ n, try: number }))
      const request = { ask: 'state', fence: job.fence, parts } as const
      try {
        const answer = await askOfParts(this.#context, request, partsAnswers.state)
        for (const told of answer.parts) hear(asked, told)
      } catch (error) {
        for (const { ended } of asked) ended.reject(error)
      }
    }
  }

  async #fetch(
    { file, url, sizeBytes, sha256 }: { file: string; url: string } & ArrivedPart['result'],
    signal: AbortSignal,
  ): Promise<void> {
    const { folder, settings, job } = this.#context
    const reportsUrl = job.reports.url
    await fetchNamed({ files: [{ name: file, url }], folder, settings, reportsUrl, signal })
    const fetched = path.join(folder, file)
    const { size } = await stat(fetched)
    if (size === sizeBytes && (await hashFile(fetched, signal)) === sha256) return
    await rm(fetched, { force: true })
    throw new Error('The file of a part is not the one that was rendered')
  }

  async #stop({ n, try: number }: PartTry): Promise<void> {
    const { job, log } = this.#context
    const parts = [{ n, try: number }]
    const request = { ask: 'stop', fence: job.fence, parts } as const
    this.#stoppedAt.push(performance.now())
    await askOfParts(this.#context, request, partsAnswers.stop).catch((error: unknown) =>
      log('warn', 'A part was not stopped', { n, fault: stackOf(error) }),
    )
  }
}

function hear(watched: readonly WatchedPart[], told: ToldPart): void {
  const part = watched.find(({ n, try: number }) => n === told.n && number === told.try)
  switch (told.state) {
    case 'running':
      part?.onProgress({ pictures: told.pictures, bytes: told.bytes })
      return
    case 'stored':
      part?.ended.resolve(told)
      return
    case 'failed':
      part?.ended.reject(new Error(`A part failed elsewhere: ${told.why}`))
  }
}

type FilesOf = {
  readonly job: Pick<MediaJob, 'fence' | 'reports' | 'inputs'>
  readonly folder: string
  readonly signal: AbortSignal
}

/** Puts the files of a job where other media workers can read them, each file once. */
class PartFiles {
  readonly #of: FilesOf
  readonly #stored = new Map<string, Promise<PartFile>>()

  constructor(of: FilesOf) {
    this.#of = of
  }

  /** Whether all of these are stored or on their way. */
  hasAll(names: readonly string[]): boolean {
    return names.every((name) => this.#isUploadedSource(name) || this.#stored.has(name))
  }

  /** Stores these files of the job folder. */
  async store(names: readonly string[]): Promise<PartFile[]> {
    return Promise.all(names.map(async (name) => this.#storeOnce(name)))
  }

  async #storeOnce(name: string): Promise<PartFile> {
    if (this.#isUploadedSource(name)) return { name, from: 'source' }
    const storing = this.#stored.get(name) ?? this.#store(name)
    this.#stored.set(name, storing)
    // The next part that needs the file tries again.
    storing.catch(() => this.#stored.delete(name))
    return storing
  }

  /** The inputs are fetched as `in0`, `in1`, …, and at most one of them is an upload. */
  #isUploadedSource(name: string): boolean {
    return this.#of.job.inputs.some(({ origin }, i) => origin === 'storage' && name === `in${i}`)
  }

  async #store(name: string): Promise<PartFile> {
    const { job, folder, signal } = this.#of
    const { fence, reports } = job
    const body = (sizeBytes: number) =>
      ({ ask: 'store', fence, name, sizeBytes }) satisfies PartsRequest
    const { parts } = await uploadFile({
      ...{ file: path.join(folder, name), signal, onProgress: () => undefined },
      grant: { url: `${reports.url}/parts`, key: reports.key, body },
    })
    const stored = { ask: 'stored', fence, name, parts } satisfies PartsRequest
    await askOfParts({ job, signal }, stored, partsAnswers.stored)
    return { name, from: 'stored' }
  }
}
