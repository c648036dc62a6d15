import type { CancelRequest, MediaJob } from '../../../worker/contract/job/media-job.ts'
import type { PartJob } from '../../../worker/contract/job/part-job.ts'
import type {
  AttemptTrace,
  FetchedFile,
  InsightProgress,
  UploadedOutput,
} from '../../../worker/contract/job/report.ts'
import type { Phase, TimedWork } from '../../../worker/contract/video/video-state.ts'
import type { JobHold, StartedJob } from '../../../containers/job/job-context.ts'
import type { World } from '../../engine/world.ts'
import { filmInParts, leadFilm, type FilmCode } from './film-parts.ts'
import { forgeReports } from '../forgery.ts'
import { hearWindows, rememberWords, type SpeechParts } from './kept-speech.ts'
import {
  analysisOf,
  endlessFilm,
  failedCheck,
  fileWith,
  heardIn,
  isNamed,
  leastMs,
  leftIn,
  moreOf,
  ran,
  sha256Of,
  stumbles,
  unheard,
  unseenFilm,
  type TimeLeft,
} from './told-of-work.ts'
import { BeyondLimit, endingOf, whyFails, type ToldEnding } from './work-ending.ts'
import { piecesOf } from './store-parts.ts'
import { kindsOf, namedOf, toldOf, typeOf, type Kind } from './made-outputs.ts'

type Recorder = {
  phase<Result>(name: TimedWork, work: () => Promise<Result>): Promise<Result>
  command(command: AttemptTrace['commands'][number]): void
  plan(plan: AttemptTrace['plan']): void
  finish(): AttemptTrace
}
type Reporter = {
  progress(phase: Phase, share: number): void
  insight(name: 'transcript' | 'analysis', state: InsightProgress): void
  fetched(what: { engine: string; files: FetchedFile[] }): Promise<void>
  slotFree(isFree: boolean): void
  finish(report: Record<string, unknown>, patienceMs?: number): Promise<void>
  close(): void
}
type Slots = {
  readonly count: number
  readonly running: number
  readonly fetching: number
  readonly isClosed: boolean
  offer(job: MediaJob | PartJob): 'accepted' | 'busy'
  cancel(request: CancelRequest): Promise<AttemptTrace | undefined>
  close(reason: 'shutdown', finishMs: number): Promise<void>
}

/** The code of the media worker that the program has. */
export type MediaParts = {
  JobSlots: new (
    rooms: { slots: number; fetching: number },
    start: (job: MediaJob | PartJob, hold: JobHold) => StartedJob,
  ) => Slots
  Reporter: new (options: Record<string, unknown>) => Reporter
  recordTrace: () => Recorder
  mediaJob: { parse: (job: unknown) => MediaJob }
  partJob: { parse: (job: unknown) => PartJob }
  cancelRequest: { parse: (request: unknown) => CancelRequest }
  signatureHeader: string
  signMessage: (secret: string, body: string, nowMs: number) => Promise<string>
  verifyMessage: (...given: [string, string, string | null, number]) => Promise<boolean>
} & FilmCode &
  SpeechParts

/** What decides how long work takes and how it goes wrong, where chance and faults do not. */
export type Pace = {
  ms: (phase: Phase, claim: string) => number
  trouble: (claim: string) => 'fails' | 'falls silent' | undefined
}

type Given = {
  job: MediaJob
  hold: JobHold
  pace?: Pace | undefined
  /** What it makes results with. */
  engine: string
  /** The process stands still, and nobody is told. */
  onSilence: () => void
  onOver: (how: string, told?: ToldEnding) => void
  /** The process dies over its work. */
  onDeath: () => void
}

/** How long the last word of a process that is told to stop may take. */
const releasePatienceMs = 2_000
/** Which share of the films is made in parts. */
const ledFilms = 0.2
/** What a film takes, as far as limits on it are concerned. */
const workSeconds = 10
const analysedMs = 300
/** How long one unit of its work takes. */
const paceMs = 2
/** How often it asks where to store a file, and then for one of another size. */
const sizedWrongly = 0.06
/** How often it may stand still over a file. */
const standingStill = 0.3
const tries = [500, 1_000, 2_000, 5_000, 10_000]

/** Does a job as the media worker does, with work that only takes time. */
export function startWork(world: World, parts: MediaParts, given: Given): StartedJob {
  const { job, hold, onOver } = given
  const trace = parts.recordTrace()
  const key = `${job.jobId}/${job.fence}`
  const { controller } = hold
  const left: TimeLeft = {
    ...{ percent: 0, left: undefined },
    ...unheard,
  }
  const reporter = new parts.Reporter({
    job,
    log: () => undefined,
    onStop: () => controller.abort(new parts.JobStop('stopped')),
    left,
  })
  const work = new Work(world, parts, { ...given, trace, reporter, key, left })
  const ending = work.attempt().catch((error: unknown) => endingOf(error, controller))
  const worked = ending.then(() => undefined)
  const done = ending.then(async (how) => {
    world.history.note(`work ${key}`, `ends: ${how?.type ?? 'stopped'}`)
    onOver(how?.type ?? 'stopped', how)
    if (!how) return reporter.close()
    const patienceMs = how.type === 'released' ? releasePatienceMs : undefined
    await reporter.finish({ ...how, trace: trace.finish() }, patienceMs)
  })
  return {
    worked,
    done,
    trace: () => trace.finish(),
    msLeft: () => Infinity,
    diskBytes: async () => 0,
    tellPlace: (place) => reporter.slotFree(place !== 'slot'),
  }
}

type WorkParts = Given & {
  trace: Recorder
  reporter: Reporter
  key: string
  left: TimeLeft
}

class Work {
  readonly #world: World
  readonly #parts: MediaParts
  readonly #of: WorkParts

  constructor(world: World, parts: MediaParts, of: WorkParts) {
    this.#world = world
    this.#parts = parts
    this.#of = of
  }

  async attempt(): Promise<ToldEnding> {
    const { hold, trace } = this.#of
    this.#judgePaces()
    await this.#phase('fetching', 300, 25_000, async () => this.#tellFetched())
    const turn = hold.takeSlot()
    if (turn) await trace.phase('waiting', async () => this.#unlessStopped(turn))
    await this.#phase('measuring', 100, 4_000)
    this.#holdLimits()
    if (isNamed(this.#of.job, endlessFilm)) trace.command(ran('ffprobe', 100))
    const [{ faults }, { jobId }] = [this.#world, this.#of.job]
    // Some files fail in the same way in each attempt, and some are the end of every process that opens them.
    if (faults.strikes('file fails', jobId)) throw new Error(whyFails(this.#world, jobId))
    if (faults.strikes('file kills', jobId)) {
      this.#of.onDeath()
      await this.#unlessStopped(this.#parts.waitOut(3_600_000))
    }
    if (faults.strikes('work fails', this.#of.key)) {
      const degree = faults.degree('work fails', this.#of.key)
      const isFinal = degree < 0.3
      if (degree < 0.15) return this.#proveFault()
      throw new Error(isFinal ? 'The file is not a video.' : 'The encoder stopped.')
    }
    const isLong = this.#world.draw(`is long ${jobId}`) < 0.04
    const least = leastMs(this.#of.job)
    await this.#phase('rendering', least, Math.max(least, isLong ? 2_000_000 : 120_000))
    if (stumbles(this.#of.job)) throw new Error('The encoder stopped.')
    if (!this.#of.pace) {
      const { job } = this.#of
      await forgeReports(this.#world, this.#parts, { job, signal: hold.controller.signal })
      await this.#askForHelp()
    }
    await this.#sufferAtPace()
    // What ran is kept in the bucket beside the row.
    trace.command(ran('ffmpeg', 1_000))
    return trace.phase('uploading', async () => this.#upload())
  }

  /** Of the one kind of work that there is, each unit takes the same time. */
  #judgePaces(): void {
    const { simulated } = this.#of.job.paces ?? {}
    if (simulated && Math.abs(simulated.ms - paceMs) > 1e-6)
      this.#world.break(
        `${this.#of.key} is told of a pace of ${simulated.ms}, and all had ${paceMs}`,
      )
  }

  /** A check of the result has failed, and a picture shows where. */
  async #proveFault(): Promise<ToldEnding> {
    return { ...failedCheck, outputs: [await this.#store('check-1')] }
  }

  #holdLimits(): void {
    const { most } = this.#of.job
    if (!most) return
    const { seconds = Infinity, price = Infinity, prices } = most
    const isWithin = workSeconds <= seconds && workSeconds * prices.cpuSecond <= price
    if (!isWithin) throw new BeyondLimit('The work would go beyond what the request allows.')
  }

  /** The service keeps words, and finds others that make parts. Without it a media worker does all of that by itself. */
  async #askForHelp(): Promise<void> {
    const { job, hold, key, trace, engine, onDeath } = this.#of
    const leading = { job, signal: hold.controller.signal }
    const [world, parts] = [this.#world, this.#parts]
    try {
      if (job.options.enableTranscription) {
        const heard = async () =>
          this.#unlessStopped(hearWindows(world, parts, { ...leading, onDeath }))
        await trace.phase('transcribing', heard)
        const hashes = job.inputs.map(({ url }) => sha256Of(world, url, false))
        await this.#unlessStopped(rememberWords(world, parts, { ...leading, hashes, engine }))
      }
      if (job.options.enableAiAnalysis)
        await trace.phase('analysing', async () => this.#unlessStopped(parts.waitOut(analysedMs)))
      const isLed = job.inputs.some(({ url }) => url.includes(filmInParts))
      if (isLed || world.draw(`${key} is led`) < ledFilms) {
        await this.#unlessStopped(leadFilm(world, parts, leading))
      }
    } catch (error) {
      if (error instanceof parts.JobStop && !leading.signal.aborted) hold.controller.abort(error)
      leading.signal.throwIfAborted()
      world.history.note(`work ${key}`, `goes on alone: ${String(error)}`)
    }
  }

  async #sufferAtPace(): Promise<void> {
    const { pace, key, onSilence } = this.#of
    const trouble = pace?.trouble(key)
    if (trouble === 'fails') throw new Error('The encoder stopped.')
    if (trouble !== 'falls silent') return
    onSilence()
    await this.#unlessStopped(this.#parts.waitOut(3_600_000))
  }

  /** The video may end with this, if the same was made before. */
  async #tellFetched(): Promise<void> {
    const { job, reporter, engine, hold, pace } = this.#of
    const files = job.inputs.map(({ field, url }) => ({
      ...{ field, sha256: sha256Of(this.#world, url, pace !== undefined) },
    }))
    const told = reporter.fetched({ engine, files })
    // What else it has to tell must not overtake that.
    reporter.progress('fetching', 1)
    await told
    hold.controller.signal.throwIfAborted()
  }

  async #phase(
    name: Phase,
    least: number,
    most: number,
    last?: () => Promise<void>,
  ): Promise<void> {
    const { trace, reporter, key, left, pace } = this.#of
    const ms =
      pace?.ms(name, key) ?? least + (most - least) * this.#world.draw(`${name} ${key}`) ** 4
    await trace.phase(name, async () => {
      // At a pace, silence is filled by heartbeats alone.
      const steps = pace ? 1 : Math.max(1, Math.min(8, Math.round(ms / 4_000)))
      for (let step = 1; step <= steps; step++) {
        left.percent = Math.min(98, left.percent + 3)
        if (!pace && name === 'rendering') left.left = leftIn((ms * (steps - step)) / steps)
        reporter.progress(name, step / steps)
        if (name === 'rendering' && !pace) this.#tellInsights((100 * step) / steps)
        await this.#unlessStopped(this.#parts.waitOut(ms / steps))
      }
      await last?.()
    })
  }

  /** Speech and pictures are looked at while the film is made. */
  #tellInsights(progress: number): void {
    const { job, reporter } = this.#of
    const { enableTranscription, enableAiAnalysis } = job.options
    if (enableTranscription) reporter.insight('transcript', { status: 'processing', progress })
    if (enableAiAnalysis) reporter.insight('analysis', { status: 'processing', progress })
  }

  async #upload(): Promise<ToldEnding> {
    const { job, pace, key } = this.#of
    this.#of.reporter.progress('uploading', 0)
    if (pace) await this.#unlessStopped(this.#parts.waitOut(pace.ms('uploading', key)))
    const outputs: UploadedOutput[] = []
    for (const kind of kindsOf(job)) outputs.push(await this.#store(kind))
    const seconds = 1 + Math.floor(100 * this.#world.draw(`seconds ${job.jobId}`))
    const sizeInBytes = outputs[0]?.sizeBytes ?? 0
    const { told, plan } = moreOf(this.#world, job)
    if (plan) this.#of.trace.plan(plan)
    return {
      type: 'succeeded',
      outputs: toldOf(this.#world, key, outputs, isNamed(job, unseenFilm)),
      named: namedOf(job.options),
      videoMetadata: { width: 640, height: 360, duration: seconds, fps: 25, sizeInBytes },
      warnings: [],
      ...told,
      ...(plan && { trace: { plan } }),
      ...(job.options.enableTranscription && { transcript: heardIn(job) }),
      ...(job.options.enableAiAnalysis && { analysis: analysisOf(job) }),
      worked: pace ? [] : [{ kind: 'simulated', units: seconds, ms: seconds * paceMs }],
    }
  }

  async #store(kind: Kind): Promise<UploadedOutput> {
    const { job, hold } = this.#of
    // Some are longer than the parts in which files go to buckets of customers.
    const filling = '.'.repeat(80 * this.#world.draw(`size of ${kind} of ${job.jobId}`))
    const text = `${kind} of ${job.jobId}${filling} made at fence ${job.fence}`
    const bytes = new TextEncoder().encode(fileWith(text, kind, job))
    const [extension, contentType] = typeOf(kind)
    const asked = { kind, extension, contentType, fence: job.fence }
    this.#standStill(kind)
    const askFor = async (sizeBytes: number) =>
      this.#parts.signedPost({
        url: `${job.reports.url}/outputs`,
        key: job.reports.key,
        body: { ...asked, sizeBytes },
        signal: hold.controller.signal,
      })
    if (this.#world.draw(`sizes ${kind} of ${this.#of.key} wrongly`) < sizedWrongly)
      await askFor(bytes.length + 1).catch(() => undefined)
    const grant = await this.#again(async () => {
      const response = await askFor(bytes.length)
      if (this.#parts.isUnwanted(response.status))
        hold.controller.abort(new this.#parts.JobStop('stopped'))
      if (!response.ok) throw new Error(`The request for addresses got ${response.status}`)
      return this.#parts.outputGrant.parse(await response.json())
    })
    const parts: UploadedOutput['parts'] = []
    for (const { partNumber, url, body } of piecesOf(grant, bytes)) {
      const etag = await this.#again(async () => this.#put(url, body))
      parts.unshift({ partNumber, etag })
    }
    return { kind, sizeBytes: bytes.length, parts }
  }

  /** Some stand still when they are about to store a file, and go on when another attempt has followed. */
  #standStill(kind: Kind): void {
    const [world, { key, onSilence }] = [this.#world, this.#of]
    const place = `${kind} of ${key}`
    if (world.draw(`stands still over ${place}`) < standingStill)
      if (world.faults.strikes('media worker freezes', place)) onSilence()
  }

  async #put(url: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
    const { signal } = this.#of.hold.controller
    const response = await this.#parts.fetchOut(url, { method: 'PUT', body, signal })
    const etag = response.headers.get('etag')
    if (!response.ok || etag === null) throw new Error(`A part was answered ${response.status}`)
    return etag
  }

  async #again<Value>(work: () => Promise<Value>): Promise<Value> {
    for (const pauseMs of tries) {
      this.#of.hold.controller.signal.throwIfAborted()
      try {
        return await work()
      } catch {
        await this.#unlessStopped(this.#parts.waitOut(pauseMs))
      }
    }
    return work()
  }

  async #unlessStopped<Value>(work: Promise<Value>): Promise<Value> {
    const { signal } = this.#of.hold.controller
    signal.throwIfAborted()
    const stopped = Promise.withResolvers<never>()
    const stop = (): void => stopped.reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
    try {
      return await Promise.race([work, stopped.promise])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}
