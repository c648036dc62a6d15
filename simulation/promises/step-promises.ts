import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import { judgeReuse } from './judge-reuse.ts'
import type { WatchFiles } from './watch-files.ts'
import type { WatchUsage } from './watch-usage.ts'

const ends = ['succeeded', 'failed', 'canceled']
/** By default. */
const mostAttempts = 3
const unwantedMs = 300_000
/** An object that does not answer is given a quarter of an hour. */
const overdueMs = 40 * 60_000
/** The sweep looks after two minutes. An attempt takes a quarter of one, and a receiver has a few at once. */
const lateWebhookMs = 100_000
/** Longer than a media worker stands still. */
const undisturbedMs = 25 * 60_000
type Call = { name: string; method: string; given: readonly unknown[]; answer: unknown }

const next: Record<string, readonly string[]> = {
  queued: ['running', 'failed', 'canceled', 'succeeded'],
  running: ['queued', ...ends],
}

/** Whether anybody is to be told of the video v. */
export const isListenedTo = `(v.request ->> 'webhookUrl' IS NOT NULL OR EXISTS
  (SELECT 1 FROM webhook_endpoints AS w WHERE w.account_id = v.account_id AND w.disabled_at IS NULL))`

/** SQLite tells of these changes within the statement that makes them. */
const triggers = `
  CREATE TEMP TRIGGER tell_status AFTER UPDATE OF status ON main.videos WHEN OLD.status <> NEW.status
  BEGIN SELECT tell('status', NEW.id, OLD.status, NEW.status, NEW.progress_percent); END;
  CREATE TEMP TRIGGER tell_progress AFTER UPDATE OF progress_percent ON main.videos
    WHEN NEW.progress_percent < OLD.progress_percent OR NEW.progress_percent >= 100 AND NEW.status <> 'succeeded'
  BEGIN SELECT tell('progress', NEW.id, OLD.progress_percent, NEW.progress_percent, NEW.status); END;
  CREATE TEMP TRIGGER tell_deletion AFTER DELETE ON main.videos
  BEGIN SELECT tell('deleted', OLD.id, OLD.status, OLD.account_id); END;
  CREATE TEMP TRIGGER tell_creation AFTER INSERT ON main.videos
  BEGIN SELECT tell('created', NEW.id, NEW.name, iif(NEW.source ->> 'field' = 'sourceVideoId', NULL, NEW.source ->> 'uploadId'),
    NEW.source ->> 'uploadId'); END;
  CREATE TEMP TRIGGER tell_attempt AFTER INSERT ON main.job_attempts
  BEGIN SELECT tell('attempt', NEW.job_id, NEW.fence); END;
  CREATE TEMP TRIGGER tell_outcome AFTER UPDATE OF outcome ON main.job_attempts WHEN OLD.outcome IS NULL
  BEGIN SELECT tell('outcome', NEW.job_id, NEW.fence, NEW.outcome); END;
  CREATE TEMP TRIGGER tell_trace AFTER UPDATE OF trace ON main.job_attempts WHEN OLD.trace IS NULL AND NEW.trace IS NOT NULL
  BEGIN SELECT tell('trace', NEW.job_id, NEW.trace); END;
  CREATE TEMP TRIGGER tell_upload AFTER INSERT ON main.uploads
  BEGIN SELECT tell('upload', NEW.id); END;
  CREATE TEMP TRIGGER tell_event AFTER INSERT ON main.webhook_events
  BEGIN SELECT tell('event', NEW.id, NEW.video_id, NEW.type); END;
  CREATE TEMP TRIGGER tell_result AFTER UPDATE OF result ON main.videos WHEN OLD.result ->> '$.deliveries' IS NOT NULL
  BEGIN SELECT tell('result', NEW.id, OLD.result, NEW.result); END;
  CREATE TEMP TRIGGER tell_delivery AFTER UPDATE OF status ON main.webhook_deliveries WHEN OLD.status <> NEW.status
  BEGIN SELECT tell('delivery', NEW.id, OLD.status, NEW.status, NEW.attempt_count); END;
  CREATE TEMP TRIGGER tell_batch AFTER UPDATE OF ended_at ON main.batches
  BEGIN SELECT tell('batch', NEW.id, OLD.ended_at); END;
  CREATE TEMP TRIGGER tell_fence AFTER UPDATE OF fence ON main.jobs WHEN NEW.fence < OLD.fence
  BEGIN SELECT tell('fence', NEW.id, OLD.fence, NEW.fence); END;
`

/** How long a job may wait, and how long all of its attempts may take, in milliseconds. */
export type TimeLimits = { queueMs: number; jobMs: number }

type Told = {
  limits: TimeLimits
  files: WatchFiles
  usage: WatchUsage
  /** A video has come into the line. */
  onQueued: () => void
  onBatchEnd: (batchId: string) => void
}

/** What must hold after every change of a row and every write of an object. */
export class StepPromises {
  readonly deleted = new Set<string>()
  /** Videos that have not ended. */
  readonly open = new Set<string>()
  /** All that ever had a row. */
  readonly uploads = new Set<string>()
  readonly #world: World
  readonly #database: Database
  readonly #events = new Map<string, string>()
  /** Those that tell the end of deliveries to buckets. */
  readonly #deliveryEvents = new Map<string, string>()
  readonly #claims = new Map<string, string>()
  /** Which video each upload was used for. */
  readonly #sources = new Map<string, string>()
  /** Work that goes on, and whether its media worker still lives. */
  readonly #works = new Map<string, () => boolean>()
  readonly #endings = new Map<string, string>()
  readonly #told: Told

  constructor(world: World, database: Database, told: Told) {
    this.#told = told
    this.#world = world
    this.#database = database
    database.sqlite.exec(triggers)
  }

  /** A change that was written for good. */
  hear(what: string, ...values: readonly unknown[]): void {
    const [one = '', two = '', three = '', four = ''] = values.map(String)
    this.#world.history.note('row', [what, ...values].join(' '))
    switch (what) {
      case 'status':
        return this.#heardStatus(one, two, three)
      case 'progress':
        return this.#broken(`${one}: the progress went from ${two} to ${three} while ${four}`)
      case 'deleted':
        this.deleted.add(one)
        this.open.delete(one)
        this.#told.files.gone(one)
        if (!ends.includes(two)) this.#broken(`${one} was removed while ${two}`)
        return
      case 'attempt':
        return this.#heardAttempt(one)
      case 'outcome':
        return this.#heardOutcome(one, two, three)
      case 'event':
        return this.#heardEvent(one, two, three)
      case 'created':
        this.open.add(one)
        if (values[2] !== null) this.#heardUse(one, three)
        if (values[3] !== null) this.#told.files.madeOf(one, four)
        return this.#told.onQueued()
      case 'upload':
        this.uploads.add(one)
        return
      case 'trace':
        return this.#told.usage.worked(one, two)
      case 'result':
        return this.#told.files.heardResult(one, two, three)
      case 'batch':
        if (values[1] !== null) this.#broken(`${one} has ended twice`)
        return this.#told.onBatchEnd(one)
      case 'fence':
        return this.#broken(`the fence of ${one} fell from ${two} to ${three}`)
      default:
        return
    }
  }

  /** An upload becomes the source of one video, which is said in the same moment. */
  #heardUse(videoId: string, uploadId: string): void {
    const [row] = this.#database.read('SELECT status, video_id FROM uploads WHERE id = ?', uploadId)
    if (row?.['status'] !== 'used' || row['video_id'] !== videoId) {
      this.#broken(
        `${videoId} is made of ${uploadId}, which belongs to ${String(row?.['video_id'])}`,
      )
    }
    const before = this.#sources.get(uploadId)
    this.#sources.set(uploadId, videoId)
    if (before !== undefined) this.#broken(`${before} and ${videoId} are both made of ${uploadId}`)
  }

  /** The object of an output was written: only the attempt that holds the job may do that. */
  hearObject(key: string): void {
    const [folder, videoId = '', out, fence] = key.split('/')
    if (folder !== 'videos' || out !== 'out') return
    const [job] = this.#database.read('SELECT fence FROM jobs WHERE video_id = ?', videoId)
    if (job && Number(job['fence']) > Number(fence)) {
      this.#broken(`${videoId}: attempt ${fence} has written after ${String(job['fence'])} began`)
    }
  }

  #heardStatus(videoId: string, before: string, after: string): void {
    if (!next[before]?.includes(after)) this.#broken(`${videoId} went from ${before} to ${after}`)
    if (after === 'queued') this.#heardReturn(videoId)
    if (after === 'running') this.#heardStart(videoId)
    if (!ends.includes(after)) return
    this.open.delete(videoId)
    this.#told.usage.ended(videoId, after)
    const [found] = this.#database.read(
      `SELECT v.terminal_event_id AS eventId, v.finished_at AS finishedAt, j.finished_at AS jobFinishedAt,
        NOT ${isListenedTo} OR EXISTS
        (SELECT 1 FROM webhook_events AS e WHERE e.video_id = v.id) AS told,
        v.result ->> '$.reusedFrom' AS reusedFrom, v.result ->> '$.outputs.final.key' AS final, j.error ->> '$.reason' AS reason,
        j.started_at AS startedAt, j.created_at AS createdAt,
        (SELECT count(*) FROM job_attempts AS a WHERE a.job_id = j.id AND a.finished_at IS NULL) AS open,
        (SELECT count(*) FROM job_attempts AS a WHERE a.job_id = j.id AND a.outcome = 'succeeded') AS good,
        EXISTS (SELECT 1 FROM webhook_events AS e WHERE e.video_id = v.id
          AND e.body ->> '$.data.progressPercent' <> floor(v.progress_percent)) AS toldOther
       FROM videos AS v JOIN jobs AS j ON j.video_id = v.id WHERE v.id = ?`,
      videoId,
    )
    if (!found) return
    if (found['open'] !== 0) this.#broken(`${videoId} ended with an open attempt`)
    const isReused = found['reusedFrom'] !== null
    if (isReused) judgeReuse(this.#world, this.#database, videoId)
    if (before === 'queued' && after === 'succeeded' && !isReused) {
      this.#broken(`${videoId} has succeeded, and nobody has worked on it`)
    }
    // One that was still in line has no attempt.
    const isDone = after === 'succeeded' && before !== 'queued'
    if (found['good'] !== (isDone ? 1 : 0)) {
      this.#broken(`${videoId} is ${after} with ${String(found['good'])} attempts that succeeded`)
    }
    if (found['finishedAt'] !== found['jobFinishedAt']) {
      this.#broken(`${videoId} and its job ended at different times`)
    }
    if (found['reason'] === 'out_of_time') this.#heardTimeout(videoId, found)
    if (after === 'succeeded' && found['final'] === null) this.#broken(`${videoId} has no video`)
    if (found['told'] !== 1) this.#broken(`${videoId} ended without an event`)
    if (found['toldOther'] === 1) this.#broken(`the event of ${videoId} tells other progress`)
    const event = this.#events.get(videoId)
    if (event !== undefined && event !== found['eventId'])
      this.#broken(`${videoId} has a foreign event`)
  }

  #heardTimeout(videoId: string, job: Record<string, unknown>): void {
    const { queueMs, jobMs } = this.#told.limits
    const { startedAt, createdAt, finishedAt } = job
    const took = Number(finishedAt) - Number(startedAt ?? createdAt)
    const limit = startedAt === null ? queueMs : jobMs
    if (took <= limit) this.#broken(`${videoId} ran out of time after ${took} of ${limit} ms`)
  }

  #heardReturn(videoId: string): void {
    this.#told.onQueued()
    const [found] = this.#database.read(
      `SELECT count(*) AS open FROM job_attempts AS a JOIN jobs AS j ON j.id = a.job_id
       WHERE j.video_id = ? AND a.finished_at IS NULL`,
      videoId,
    )
    if (found?.['open'] !== 0) this.#broken(`${videoId} is queued while an attempt is open`)
  }

  /** No account has more at work than its cap, and no job has more attempts than it may. */
  #heardStart(videoId: string): void {
    const [found] = this.#database.read(
      `SELECT j.attempts, a.max_running AS most,
        (SELECT count(*) FROM videos AS o WHERE o.account_id = a.id AND o.status = 'running') AS running
       FROM videos AS v JOIN jobs AS j ON j.video_id = v.id JOIN accounts AS a ON a.id = v.account_id WHERE v.id = ?`,
      videoId,
    )
    const { attempts, most, running } = found ?? {}
    if (Number(attempts) > mostAttempts) this.#broken(`${videoId} has attempt ${String(attempts)}`)
    if (most !== null && Number(running) > Number(most)) {
      this.#broken(`${String(running)} videos of an account run, of at most ${Number(most)}`)
    }
  }

  /** A media worker has begun: nobody else may ever have had this claim. */
  hearWork(claim: string, worker: string, isAlive: () => boolean): void {
    this.#works.set(claim, isAlive)
    const known = this.#claims.get(claim)
    this.#claims.set(claim, worker)
    if (known !== undefined && known !== worker) {
      this.#broken(`${known} and ${worker} both work at ${claim}`)
    }
  }

  /** An attempt that another has followed is told to stop, whatever it reports. */
  hearCall({ name: jobId, method, given, answer }: Call): void {
    if (method !== 'report') return
    const { fence } = given[0] as { fence: number }
    const [job] = this.#database.read('SELECT fence FROM jobs WHERE id = ?', jobId)
    const { action } = answer as { action: string }
    if (job && Number(job['fence']) > fence && action !== 'stop') {
      this.#broken(`attempt ${fence} of ${jobId} may go on, and ${String(job['fence'])} has begun`)
    }
  }

  isAtWork(claim: string): boolean {
    return this.#works.has(claim)
  }

  /** How the media worker itself has ended its work. */
  hearEnding(claim: string, how: string): void {
    this.#endings.set(claim, how)
    this.#works.delete(claim)
  }

  /** Once a minute: a media worker that reports is told that its work is not wanted any more. */
  look(): void {
    if (this.open.size > 0) this.#lookForLate()
    this.#lookForLateWebhooks()
    for (const [claim, isAlive] of this.#works) {
      if (!isAlive()) {
        this.#works.delete(claim)
        continue
      }
      const [row] = this.#database.read(
        'SELECT finished_at AS at FROM jobs WHERE id = ? AND finished_at < ?',
        claim.split('/')[0] ?? '',
        this.#world.loop.wall - unwantedMs,
      )
      if (row && this.#world.faults.lastAt < this.#world.now - unwantedMs) {
        this.#broken(`a media worker still works at ${claim}, whose video has ended`)
      }
    }
  }

  /** A job whose time is over ends, if nothing has gone wrong for a while. */
  #lookForLate(): void {
    const { faults, loop, now } = this.#world
    if (faults.lastAt > now - overdueMs) return
    const { queueMs, jobMs } = this.#told.limits
    const late = this.#database.read(
      `SELECT id FROM jobs WHERE finished_at IS NULL
       AND ((started_at IS NULL AND created_at < ?) OR started_at < ?)`,
      loop.wall - queueMs - overdueMs,
      loop.wall - jobMs - overdueMs,
    )
    for (const { id } of late) this.#broken(`${String(id)} has not ended, and its time is over`)
  }

  /** If nothing has gone wrong since the attempt before it, a webhook is tried again when it is due, and not by the sweep. */
  #lookForLateWebhooks(): void {
    const { faults, loop, now } = this.#world
    if (faults.lastOf('receiver hangs') > now - 600_000) return
    // What was written before a step of the clock has the time of before.
    const hasStepped = faults.lastOf('clock steps') > now - 86_400_000
    const late = this.#database.read(
      `SELECT id FROM webhook_deliveries WHERE finished_at IS NULL AND due_at < ?
       AND coalesce(unixepochOf(attempts ->> '$[#-1].at'), round_at) > ?`,
      loop.wall - lateWebhookMs,
      faults.lastHarmAt + loop.skew + (hasStepped ? undisturbedMs : 0),
    )
    for (const { id } of late) this.#broken(`${String(id)} is due, and nobody sends it`)
  }

  /** Nobody ends an attempt but the media worker that has it, or silence. */
  #heardOutcome(jobId: string, fence: string, outcome: string): void {
    const how = this.#endings.get(`${jobId}/${fence}`)
    const [row] = this.#database.read(
      `SELECT v.status, v.result ->> '$.reusedFrom' AS reusedFrom
       FROM videos AS v JOIN jobs AS j ON j.video_id = v.id WHERE j.id = ?`,
      jobId,
    )
    const { now, faults } = this.#world
    if (outcome === 'lost' && faults.lastHarmAt < now - undisturbedMs) {
      this.#broken(`attempt ${fence} of ${jobId} was lost, and nothing had gone wrong`)
    }
    // The end of a job that was lost too often says failed, too.
    const isReported = outcome === 'failed' ? row?.['status'] === 'queued' : outcome !== 'lost'
    if (outcome === 'canceled' || !isReported || how === outcome) return
    // The result of another video ends the attempt as soon as its files are known.
    if (outcome === 'succeeded' && row !== undefined && row['reusedFrom'] !== null) return
    // What could not be stored has failed, although the work has not.
    if (outcome === 'failed' && how === 'succeeded') return
    this.#broken(`attempt ${fence} of ${jobId} is ${outcome}, and its work ${how ?? 'goes on'}`)
  }

  #heardAttempt(jobId: string): void {
    const open = this.#database.read(
      'SELECT fence FROM job_attempts WHERE job_id = ? AND finished_at IS NULL',
      jobId,
    )
    if (open.length > 1) this.#broken(`${jobId} has ${open.length} open attempts`)
  }

  #heardEvent(eventId: string, videoId: string, type: string): void {
    if (videoId === '') return
    const isEnd = type.startsWith('video.')
    const events = isEnd ? this.#events : this.#deliveryEvents
    if (events.has(videoId)) this.#broken(`${videoId} has two events`)
    events.set(videoId, eventId)
    if (!isEnd) return this.#told.files.heardDelivered(videoId, type)
    const [row] = this.#database.read('SELECT status FROM videos WHERE id = ?', videoId)
    if (row && `video.${String(row['status'])}` !== type) {
      this.#broken(`${videoId} is ${String(row['status'])} and has an event ${type}`)
    }
  }

  #broken(promise: string): void {
    this.#world.break(promise)
  }
}
