import path from 'node:path'
import { processorMsOfGroup } from '../machine/process-table.ts'
import { writeFileAtomically, removeIfPossible } from '../machine/write-file.ts'
import { recordParts } from './data/claim-data-directory.ts'
import { writeDevFile, type DevFile } from './dev-file.ts'
import type { LocalAccount } from './local-account.ts'
import { JobBoard, type LookUp } from './output/job-board.ts'
import { jsonOf, LogFile } from './output/log-files.ts'
import { mediaWorkerPlan, mediaWorkerUrl, type MediaPlace } from './parts/media-part.ts'
import { ownVariables } from './own-machine.ts'
import {
  baseUrlOf,
  envFileText,
  simulatorOf,
  simulatorPath,
  workerVariables,
} from './parts/part-environments.ts'
import { Part, type PartEvents, type PartPlan } from './parts/part.ts'
import { redactLine } from './output/redact-line.ts'
import type { ServiceRun } from './run.ts'
import type { Teller } from './output/news.ts'
import { isRefusal, newsOf } from './output/terminal-lines.ts'
import type { DiskWatch } from './data/watch-disk.ts'
import type { Watched } from './parts/watch-part.ts'
import { workerName } from './parts/worker-part.ts'

/** Media workers hand their jobs back first, while the Worker still listens. */
const mediaPatienceMs = 8_000
const workerPatienceMs = 3_000

/** The running parts, and the files that say how to reach them. */
export class Service {
  readonly #run: ServiceRun
  readonly #teller: Teller
  readonly #disk: DiskWatch
  readonly #board: JobBoard
  readonly #events: PartEvents
  #worker: Part | undefined
  readonly #media: { part: Part; url: string }[]
  #account: LocalAccount | undefined
  #deaths = 0
  #isRefused = false
  #stopping = false

  constructor(run: ServiceRun, places: readonly MediaPlace[], teller: Teller, disk: DiskWatch) {
    this.#run = run
    this.#teller = teller
    this.#disk = disk
    this.#board = new JobBoard(teller)
    setInterval(() => this.#board.tick(), 1_000).unref()
    this.#events = { started: () => this.#onStarted(), died: this.#onDied.bind(this) }
    this.#media = places.map((place) => ({
      part: new Part(
        mediaWorkerPlan(run, place, this.#logTo(`media-${place.number}`)),
        this.#events,
      ),
      url: mediaWorkerUrl(place),
    }))
    const urls = this.#media.map(({ url }) => url)
    const variables = { ...workerVariables(run, urls), ...ownVariables(run.own) }
    writeFileAtomically(run.data.workerEnv, envFileText(variables), 0o600)
  }

  /** How many times a part has died so far. */
  get deaths(): number {
    return this.#deaths
  }

  /** Whether a media worker has refused its settings, so that another start cannot help. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  startMediaWorkers(): void {
    for (const { part } of this.#media) part.start()
  }

  /** Returns what is needed to check whether the Worker answers. */
  startWorker(
    plan: (onLine: (line: string) => void) => PartPlan,
    cameUp: () => void = () => undefined,
  ): Watched {
    const worker = new Part(plan(this.#logTo('worker')), this.#events)
    this.#worker = worker
    worker.start()
    // workerd answers this without running the Worker, so probes do not appear in any log.
    return this.#watched(worker, simulatorOf(this.#run) + simulatorPath, cameUp)
  }

  /** Returns what is needed to check whether each media worker answers. */
  watchedMedia(): Watched[] {
    return this.#media.map(({ part, url }) => this.#watched(part, `${url}/health`))
  }

  #watched(part: Part, probeUrl: string, cameUp: () => void = () => undefined): Watched {
    return {
      probeUrl,
      cameUp,
      get bornAtMs() {
        return part.bornAtMs
      },
      processorMs: () => (part.pid === undefined ? undefined : processorMsOfGroup(part.pid)),
      restart: () => {
        const text = `${part.name} does not answer.`
        this.#teller.tell({ event: 'note', level: 'warn', text })
        part.restart()
      },
    }
  }

  /** Writes dev.json with the addresses of everything, now and after every restart. */
  publish(account: LocalAccount): DevFile {
    this.#account = account
    this.#disk.keepWritten(this.#writeFiles)
    return this.#devFile(account)
  }

  /** From now on, the terminal shows the names of jobs and how they ended. */
  followJobs(lookUp: LookUp): void {
    this.#board.askFor(lookUp)
  }

  async stop(): Promise<void> {
    this.#stopping = true
    removeIfPossible(this.#run.data.devFile)
    await Promise.all(this.#media.map(({ part }) => part.stop(mediaPatienceMs)))
    await this.#worker?.stop(workerPatienceMs)
  }

  killNow(): void {
    this.#stopping = true
    removeIfPossible(this.#run.data.devFile)
    for (const part of this.#parts()) part.killNow()
  }

  #parts(): Part[] {
    return [...(this.#worker ? [this.#worker] : []), ...this.#media.map(({ part }) => part)]
  }

  #onStarted(): void {
    this.#disk.keepWritten(this.#writeFiles)
  }

  /** The files that name the running processes, for the next start and for other programs. */
  readonly #writeFiles = (): void => {
    recordParts(
      this.#run.data,
      this.#parts().flatMap(({ pid }) => pid ?? []),
    )
    if (this.#account && !this.#stopping) {
      writeDevFile(this.#run.data.devFile, this.#devFile(this.#account))
    }
  }

  #onDied(part: Part, how: string, restartMs: number): void {
    this.#deaths++
    if (part !== this.#worker) this.#board.forgetAll()
    const restartSeconds = restartMs / 1000
    this.#teller.tell({
      event: 'part.died',
      level: 'error',
      text: `${part.name} stopped (${how}); starting it again in ${restartSeconds} s.`,
      fields: { part: part.name, how, restartSeconds },
    })
  }

  /** A part that is being restarted has no process; its pid is 0. */
  #devFile({ apiKey, webhookSecret }: LocalAccount): DevFile {
    const baseUrl = baseUrlOf(this.#run.settings)
    return {
      baseUrl,
      apiKey,
      dashboardUrl: `${baseUrl}/app`,
      webhookSecret,
      pid: process.pid,
      workerPid: this.#worker?.pid ?? 0,
      mediaWorkers: this.#media.map(({ part, url }) => ({ pid: part.pid ?? 0, url })),
    }
  }

  #openLog(name: string): LogFile {
    return new LogFile(path.join(this.#run.data.logs, `${name}.log`), {
      mostBytes: this.#disk.mostLogBytes,
      hasRoom: () => this.#disk.level !== 'scarce',
    })
  }

  #logTo(name: string): (line: string) => void {
    const { settings } = this.#run
    const log = this.#openLog(name)
    // The runtime's own messages stay out of the Worker's log, which has one JSON object per line.
    const other = name === 'worker' ? this.#openLog('runtime') : log
    const part = name === 'worker' ? workerName : name
    return (written) => {
      const line = redactLine(written)
      const json = jsonOf(line)
      const isPassing = json !== undefined && this.#board.hear(json.fields)
      if (isRefusal(line)) this.#isRefused = true
      if (isPassing && !settings.SPOOL_VERBOSE) return
      if (json) log.write(json.text)
      else if (line.trim() !== '') other.write(line)
      // A mail is for the person at the terminal, with the link that no log keeps.
      const isMail = json?.fields['event'] === 'mail'
      const toShow = isMail && this.#run.tellsSecrets ? written : line
      const news = this.#stopping ? undefined : newsOf(part, toShow, settings.SPOOL_VERBOSE)
      if (news) this.#teller.tell(news)
    }
  }
}
