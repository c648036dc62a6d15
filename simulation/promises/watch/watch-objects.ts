import type { World } from '../../engine/world.ts'
import type { Database } from '../../platform/database.ts'
import type { Deployment } from '../../platform/deployment.ts'
import type { Answered, Cell } from '../../platform/objects.ts'

/** What the object of a job has stored, as far as it is looked at. */
type Run = { videoId: string; endedAt?: number; running?: Attempt }
type Attempt = {
  fence: number
  lastSequence: number
  percent: number
  saves: number
  engine?: string
}
type Reported = { fence: number; type: string }
type Progress = { type: string; fence: number; sequence: number; progressPercent: number }
type ReportedPart = { n: number; try: number }
type AskedOfParts = { ask: string; fence: number; name?: string }
type ToldParts = { parts?: (ReportedPart & { state: string })[] } | undefined

type Around = {
  objects: () => Deployment['objects']
  /** Whether the bucket has an object of this name. */
  isStored: (key: string) => boolean
}

/** These wait for each other, so nothing is half done when one is answered. */
const inTurn = new Set(['report', 'dispatch', 'answerCall', 'cancel', 'checkUp', 'alarm'])
/** The last percent is that of the end. */
const mostShown = 99
const windowPrefix = 'window/'
/** Longer than anything that is late takes. */
const undisturbedMs = 25 * 60_000
const soonMs = 5_000
/** How long a media worker may be silent, where the settings say nothing else. */
const leaseMs = 60_000
/** When the sweep looks at a delivery for the first time, and a little more. */
const firstSweepMs = 125_000

/** Whether what objects remember agrees with the rows, and whether something wakes those that have to do something. */
export class WatchObjects {
  readonly #world: World
  readonly #database: Database
  readonly #objects: () => Deployment['objects']
  readonly #around: Around
  /** What each object of a job last remembered of the attempt that held it. */
  readonly #attempts = new Map<string, Attempt>()
  /** What was shown of a job when each attempt began. */
  readonly #shownBefore = new Map<string, number>()

  constructor(world: World, database: Database, around: Around) {
    this.#world = world
    this.#database = database
    this.#around = around
    this.#objects = around.objects
  }

  /** The object of a job has answered. */
  heard({ name: jobId, method, given, answer, cameAt }: Answered): void {
    const storage = this.#objects().JOB_RUNNER.cells.get(jobId)?.storage
    // A report that has waited may be answered when the one behind it has ended the part.
    const hasWaited = cameAt < this.#world.now
    if (method === 'reportPart' && !hasWaited && (answer as { action: string }).action !== 'stop') {
      const { n, try: number } = given[0] as ReportedPart
      const part = storage?.kv.get(`part/${n}/${number}`) as { state: string } | undefined
      if (part?.state !== 'running' && part?.state !== 'offered')
        this.#world.break(`part ${n} of ${jobId} may go on, and is ${part?.state ?? 'gone'}`)
    }
    if (method === 'askParts')
      this.#judgeParts(jobId, given[0] as AskedOfParts, answer as ToldParts)
    if (!inTurn.has(method)) return
    const run = storage?.kv.get('run') as Run | undefined
    if (!storage || !run) return
    const { videoId, endedAt, running } = run
    if (running) this.#judgeMemory(jobId, running)
    if (running) this.#judgeShown(jobId, running, method === 'report' ? given[0] : undefined)
    if (method === 'report') this.#judgeFetched(jobId, running, given[0] as Reported)
    if (endedAt !== undefined) {
      const [row] = this.#database.read('SELECT status FROM videos WHERE id = ?', videoId)
      const status = row ? String(row['status']) : 'gone'
      if (status === 'queued' || status === 'running') {
        this.#world.break(`the object of ${jobId} holds it for ended, and ${videoId} is ${status}`)
      }
      const window = storage.kept.find((key) => key.startsWith(windowPrefix))
      if (window !== undefined) this.#world.break(`${jobId} has ended, and still keeps ${window}`)
    }
    if (method !== 'report' || (answer as { action: string }).action !== 'stop') return
    const { fence } = given[0] as Reported
    if (running?.fence === fence && this.#isThere(videoId)) {
      this.#world.break(`attempt ${fence} of ${jobId} was told to stop, and its object holds it`)
    }
  }

  /**
   * A media worker that has fallen silent over its part is given up when its lease is over, also if the clock was put back
   * meanwhile. A file for parts is there when its lead hears so.
   */
  #judgeParts(jobId: string, { ask, fence, name }: AskedOfParts, told: ToldParts): void {
    const storage = this.#objects().JOB_RUNNER.cells.get(jobId)?.storage
    const { isStored } = this.#around
    const film = storage?.kv.get('film') as { fence: number } | undefined
    const key = `parts/${jobId}/${fence}/${name ?? ''}`
    if (ask === 'stored' && told && film?.fence === fence && !isStored(key))
      this.#world.break(`${key} is said to be stored, and is not there`)
    const { wall } = this.#world.loop
    for (const { n, try: number, state } of told?.parts ?? []) {
      const part = storage?.kv.get(`part/${n}/${number}`) as { leaseUntil: number } | undefined
      if (state !== 'running' || !part) continue
      const { leaseUntil } = part
      if (leaseUntil < wall - soonMs || leaseUntil > wall + leaseMs + soonMs)
        this.#world.break(`part ${n} of ${jobId} is said to go on, and its lease is over`)
    }
  }

  /** A report that is late or comes twice takes nothing back. */
  #judgeMemory(jobId: string, now: Attempt): void {
    const before = this.#attempts.get(jobId)
    this.#attempts.set(jobId, now)
    if (before?.fence !== now.fence) return
    for (const what of ['lastSequence', 'percent', 'saves'] as const) {
      if (now[what] < before[what])
        this.#world.break(`the ${what} of ${jobId} fell from ${before[what]} to ${now[what]}`)
    }
  }

  /** Progress goes on from what was shown before the attempt began, and does not stand still until that has come as far. */
  #judgeShown(jobId: string, { fence, percent, lastSequence }: Attempt, report: unknown): void {
    const claim = `${jobId}/${fence}`
    const { progressPercent = 0, ...told } = (report ?? {}) as Partial<Progress>
    if (lastSequence === 0) this.#shownBefore.set(claim, percent)
    const before = this.#shownBefore.get(claim)
    const isNews = told.fence === fence && told.sequence === lastSequence
    if (told.type !== 'progress' || !isNews || before === undefined) return
    const least = before + ((mostShown - before) * Math.min(mostShown, progressPercent)) / mostShown
    if (percent < least - 0.01)
      this.#world.break(`${claim} shows ${percent} %, and has come from ${before} to ${least} %`)
  }

  /** Unless something fails, what a media worker tells of what it has fetched is not taken for old news. */
  #judgeFetched(jobId: string, running: Attempt | undefined, { fence, type }: Reported): void {
    if (type !== 'fetched' || running?.fence !== fence || running.engine !== undefined) return
    if (this.#world.faults.lastHarmAt > this.#world.now - undisturbedMs) return
    this.#world.break(`attempt ${fence} of ${jobId} has told what it has fetched, and is not heard`)
  }

  /** The service is done with a dead letter: the operator finds its job among those that have one. */
  heardDeadLetter(body: unknown): void {
    const { jobId } = body as { jobId?: string }
    if (jobId === undefined) return
    const sql = 'SELECT id FROM jobs WHERE id = ? AND dead_lettered_at IS NULL'
    if (this.#database.read(sql, jobId).length === 0) return
    this.#world.break(`a dead letter of ${jobId} is done with, and the job does not say so`)
  }

  /** Once a minute: without faults, whatever has something left to do is woken for it. */
  look(): void {
    if (this.#world.faults.lastHarmAt > this.#world.now - undisturbedMs) return
    const { JOB_RUNNER: jobs, WEBHOOK_ENDPOINT: endpoints, COURIER: couriers } = this.#objects()
    for (const { cells } of [jobs, endpoints, couriers]) this.#lookAtAll(cells)
    this.#lookAtUndelivered(couriers.cells)
  }

  /** Whatever the sweep looks at again only later has a courier that was told. */
  #lookAtUndelivered(couriers: ReadonlyMap<string, Cell>): void {
    const before = this.#world.loop.wall - undisturbedMs
    const sql =
      'SELECT video_id AS id FROM undelivered WHERE created_at < ? AND sweep_after > created_at + ?'
    for (const { id } of this.#database.read<{ id: string }>(sql, before, firstSweepMs)) {
      const courier = couriers.get(id)
      if (courier && (courier.expectsAlarm || courier.isBusy || courier.isGivenUp)) continue
      this.#world.break(`${id} is to be delivered, and its courier has not been told`)
    }
  }

  #lookAtAll(cells: ReadonlyMap<string, Cell>): void {
    for (const [name, cell] of cells) {
      if (cell.storage.isEmpty || cell.expectsAlarm || cell.isBusy || cell.isGivenUp) continue
      const run = cell.storage.kv.get('run') as Run | undefined
      // A job that waits is woken by the line.
      if (run && !run.running && run.endedAt === undefined) continue
      this.#world.break(`${name} keeps ${cell.storage.kept.join()}, and nothing wakes it`)
    }
  }

  #isThere(videoId: string): boolean {
    return this.#database.read('SELECT id FROM videos WHERE id = ?', videoId).length > 0
  }
}
