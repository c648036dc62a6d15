import { endsAttempts, type Fault } from '../engine/faults.ts'
import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'
import type { Answered } from '../platform/objects.ts'
import { judgeOnce, judgeReuse } from './judge-reuse.ts'
import { lookForLate, lookForLateWebhooks, type TimeLimits } from './late-promises.ts'
import { allRules, type Rules } from './rules.ts'
import type { WatchArchive } from './watch/watch-archive.ts'
import type { WatchFiles } from './watch/watch-files.ts'
import type { WatchUsage } from './watch/watch-usage.ts'

const ends = ['succeeded', 'failed', 'canceled']
const unwantedMs = 300_000
/** Longer than a media worker stands still. */
const undisturbedMs = 25 * 60_000
const fewLost = 2
/** Longer than the object of a job is silent. */
const silentMs = 3 * 3_600_000
/** Less than the time between two reports of a media worker. */
const stoppedWithinMs = 1_500
/** Longer than a call takes that waits for another one. */
const hopMs = 60_000
/** What media workers ask the object of a job, each with its claim. */
const ofAttempts = new Set(['report', 'reportPart', 'grant', 'grantPart', 'askParts'])

const next: Record<string, readonly string[]> = {
  queued: ['running', 'failed', 'canceled', 'succeeded'],
  running: ['queued', ...ends],
}

/** Whether anybody is to be told of the video v, whatever happens to it. */
export const isListenedTo = `(v.request ->> 'webhookUrl' IS NOT NULL OR EXISTS
  (SELECT 1 FROM webhook_endpoints AS w WHERE w.account_id = v.account_id
  AND w.disabled_at IS NULL AND w.event_types IS NULL))`

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
  CREATE TEMP TRIGGER tell_outcome AFTER UPDATE OF outcome ON main.job_attempts WHEN OLD.outcome IS NULL
  BEGIN SELECT tell('outcome', NEW.job_id, NEW.fence, NEW.outcome); END;
  CREATE TEMP TRIGGER tell_trace AFTER UPDATE OF trace ON main.job_attempts WHEN NEW.trace IS NOT NULL
  BEGIN SELECT tell('trace', NEW.job_id, NEW.trace, coalesce(OLD.trace, '')); END;
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
`

type Asked = { fence: number; type?: string; sequence?: number }
type Told = {
  limits: TimeLimits
  files: WatchFiles
  archive: WatchArchive
  usage: WatchUsage
  rules: readonly Rules[]
  onCreated: (videoId: string) => void
  /** A video has come into the line. */
  onQueued: () => void
  onBatchEnd: (batchId: string) => void
}

/** What must hold after every change of a row and every write of an object. */
export class StepPromises {
  readonly deleted = new Set<string>()
  /** Videos that have not ended. */
  readonly open = new Set<string>()
  readonly uploads = new Set<string>()
  /** How the attempts of each job have ended, by their claims. */
  readonly outcomes = new Map<string, Map<string, string>>()
  readonly #world: World
  readonly #database: Database
  readonly #events = new Map<string, string>()
  /** Those that tell the end of deliveries to buckets. */
  readonly #deliveryEvents = new Map<string, string>()
  /** Which video each upload was used for. */
  readonly #sources = new Map<string, string>()
  /** Work that goes on, and whether its media worker still lives. */
  readonly #works = new Map<string, () => boolean>()
  readonly #endings = new Map<string, string>()
  readonly #newest = new Map<string, number>()
  readonly #rules: readonly Rules[]
  readonly #told: Told

  constructor(world: World, database: Database, told: Told) {
    this.#told = told
    this.#world = world
    this.#database = database
    database.watch(triggers)
    const rules = allRules(world, database, (id) => told.files.isDeleting(id))
    this.#rules = [...rules, ...told.rules]
  }

  /** A change that was written for good. */
  hear(what: string, ...values: readonly unknown[]): void {
    const [one = '', two = '', three = '', four = ''] = values.map(String)
    // The whole of a row is too much for a diary, and so is that one has changed at all.
    if (what === 'row gone') return this.#told.archive.heard(one, two)
    if (what !== 'state') this.#world.history.note('row', [what, ...values].join(' '))
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
        return this.#told.files.leaves(one)
      case 'outcome':
        return this.#heardOutcome(one, two, three)
      case 'event':
        return this.#heardEvent(one, two, three)
      case 'created':
        this.open.add(one)
        if (values[2] !== null) this.#heardUse(one, three)
        if (values[3] !== null) this.#told.files.madeOf(one, four)
        this.#told.onCreated(one)
        return this.#told.onQueued()
      case 'upload':
        return void this.uploads.add(one)
      case 'trace':
        return this.#told.usage.worked(one, two, three)
      case 'result':
        return this.#told.files.heardResult(one, two, three)
      case 'batch':
        if (values[1] !== null) this.#broken(`${one} has ended twice`)
        return this.#told.onBatchEnd(one)
      default:
        for (const rules of this.#rules) rules.hear(what, one, two, three, four)
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
    if (before === 'running' && after === 'canceled') this.#expectStop(videoId)
    this.open.delete(videoId)
    this.#told.usage.ended(videoId, after)
    const [found] = this.#database.read(
      `SELECT v.terminal_event_id AS eventId, v.finished_at AS finishedAt, j.finished_at AS jobFinishedAt,
        NOT ${isListenedTo} OR EXISTS
        (SELECT 1 FROM webhook_events AS e WHERE e.video_id = v.id) AS told,
        v.result ->> '$.outputs.final.key' AS final, v.result ->> '$.reusedFrom' AS reusedFrom, j.attempts, j.error ->> '$.reason' AS reason,
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
    else if (after === 'succeeded')
      judgeOnce(this.#world, this.#database, { videoId, files: this.#told.files })
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
    const { faults, now } = this.#world
    if (found['reason'] === 'worker_lost' && faults.lastHarmAt < now - undisturbedMs) {
      this.#broken(`${videoId} has failed for a lost media worker, and none was lost`)
    }
    if (found['reason'] === 'out_of_time') this.#heardTimeout(videoId, found)
    if (after === 'succeeded' && found['final'] === null) this.#broken(`${videoId} has no video`)
    if (found['told'] !== 1) this.#broken(`${videoId} ended without an event`)
    if (found['toldOther'] === 1) this.#broken(`the event of ${videoId} tells other progress`)
    const event = this.#events.get(videoId)
    if (event !== undefined && event !== found['eventId'])
      this.#broken(`${videoId} has a foreign event`)
  }

  /** Without a fault, a media worker hears at once that its video is canceled, and not when it next reports. */
  #expectStop(videoId: string): void {
    const { faults, loop, now } = this.#world
    if (faults.lastHarmAt > now - undisturbedMs) return
    const [job] = this.#database.read('SELECT id, fence FROM jobs WHERE video_id = ?', videoId)
    const claim = `${String(job?.['id'])}/${String(job?.['fence'])}`
    loop.in(stoppedWithinMs, () => {
      const isAlive = this.#works.get(claim)?.() ?? false
      if (isAlive && faults.lastHarmAt < now) {
        this.#broken(`${videoId} was canceled, and a media worker still works at ${claim}`)
      }
    })
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

  /** No account has more at work than its cap. */
  #heardStart(videoId: string): void {
    const [found] = this.#database.read(
      `SELECT a.max_running AS most,
        (SELECT count(*) FROM videos AS o WHERE o.account_id = a.id AND o.status = 'running') AS running
       FROM videos AS v JOIN accounts AS a ON a.id = v.account_id WHERE v.id = ?`,
      videoId,
    )
    const { most = null, running } = found ?? {}
    if (most !== null && Number(running) > Number(most)) {
      this.#broken(`${String(running)} videos of an account run, of at most ${Number(most)}`)
    }
  }

  hearWork(claim: string, isAlive: () => boolean): void {
    this.#works.set(claim, isAlive)
  }

  /** An attempt that another has followed is told to stop, whatever it asks for or reports. */
  hearCall({ name: jobId, method, given, answer, cameAt }: Answered): void {
    if (!ofAttempts.has(method)) return
    // What is asked of parts waits for others, and the next attempt may begin meanwhile.
    if (method === 'askParts' && this.#world.mayBeOvertaken(cameAt)) return
    const { fence, type, sequence = 0 } = given[0] as Asked
    const tooEarly = this.#world.loop.wall - this.#told.limits.jobMs - hopMs - this.#world.lateMs
    const [job] = this.#database.read(
      'SELECT fence, finished_at IS NULL AND started_at < ? AS isOver FROM jobs WHERE id = ?',
      tooEarly,
      jobId,
    )
    const { action } = (answer ?? { action: 'stop' }) as { action?: string }
    if (!job || action === 'stop') return
    const claim = `${jobId}/${fence}`
    // One that comes behind a newer one changes nothing.
    const isNews = method === 'report' && sequence > (this.#newest.get(claim) ?? 0)
    if (isNews) this.#newest.set(claim, sequence)
    if (isNews && job['isOver'] === 1 && type === 'progress')
      this.#broken(`attempt ${fence} of ${jobId} may go on, and the time of its job is over`)
    if (Number(job['fence']) > fence)
      this.#broken(`attempt ${fence} of ${jobId} may go on, and ${String(job['fence'])} has begun`)
  }

  isAtWork(claim: string): boolean {
    return this.#works.has(claim)
  }

  /** Whether a media worker that lives works at this claim. */
  isAlive(claim: string): boolean {
    return this.#works.get(claim)?.() ?? false
  }

  /** How the media worker itself has ended its work. */
  hearEnding(claim: string, how: string): void {
    this.#endings.set(claim, how)
    this.#works.delete(claim)
  }

  /** Once a minute: a media worker that reports is told that its work is not wanted any more. */
  look(): void {
    if (this.open.size > 0) lookForLate(this.#world, this.#database, this.#told.limits)
    lookForLateWebhooks(this.#world, this.#database)
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
      if (row && this.#world.faults.lastHarmAt < this.#world.now - unwantedMs) {
        this.#broken(`a media worker still works at ${claim}, whose video has ended`)
      }
    }
  }

  /** Nobody ends an attempt but the media worker that has it, or silence. */
  #heardOutcome(jobId: string, fence: string, outcome: string): void {
    const known = this.outcomes.get(jobId) ?? new Map<string, string>()
    this.outcomes.set(jobId, known.set(fence, outcome))
    this.#heardCount(jobId)
    const how = this.#endings.get(`${jobId}/${fence}`)
    const [row] = this.#database.read(
      "SELECT v.status, v.result ->> 'reusedFrom' AS reusedFrom FROM videos AS v JOIN jobs AS j ON j.video_id = v.id WHERE j.id = ?",
      jobId,
    )
    // The work stops when it hears of the result of another video.
    if (outcome === 'succeeded' && typeof row?.['reusedFrom'] === 'string') return
    const { now, faults } = this.#world
    const isHeard = faults.lastOf('object silent') < now - silentMs
    if (outcome === 'lost' && isHeard && faults.lastHarmAt < now - undisturbedMs) {
      this.#broken(`attempt ${fence} of ${jobId} was lost, and nothing had gone wrong`)
    }
    // What a media worker has to say it says until it is heard.
    const hasEnded = how !== undefined && how !== 'stopped' && how !== 'released'
    if (outcome === 'lost' && isHeard && hasEnded && this.#isHardlyDisturbed)
      this.#broken(
        `attempt ${fence} of ${jobId} was lost, and its media worker told that it ${how}`,
      )
    // The end of a job that was lost too often says failed, too.
    const isReported = outcome === 'failed' ? row?.['status'] === 'queued' : outcome !== 'lost'
    if (outcome === 'canceled' || !isReported || how === outcome) return
    // What could not be stored has failed, although the work has not.
    if (outcome === 'failed' && how === 'succeeded') return
    this.#broken(`attempt ${fence} of ${jobId} is ${outcome}, and its work ${how ?? 'goes on'}`)
  }

  /** Whether but a few requests or answers were lost for a while, which are sent again, and the bucket alone has failed. */
  get #isHardlyDisturbed(): boolean {
    const { faults, now } = this.#world
    const since = now - undisturbedMs
    const struck = faults.struck.filter(({ at, mishap }) => at > since && endsAttempts(mishap))
    const isLost = ({ mishap }: Fault) => mishap === 'request lost' || mishap === 'answer lost'
    return struck.length <= fewLost && struck.every(isLost)
  }

  /** A job that goes back to the line counts its attempts, without those whose media workers were shut down. */
  #heardCount(jobId: string): void {
    const [row] = this.#database.read(
      `SELECT j.attempts, (SELECT count(*) FROM job_attempts AS a WHERE a.job_id = j.id AND a.outcome <> 'released') AS used
       FROM jobs AS j JOIN videos AS v ON v.id = j.video_id WHERE j.id = ? AND v.status = 'queued'`,
      jobId,
    )
    if (row && row['attempts'] !== row['used']) {
      this.#broken(`${jobId} counts ${String(row['attempts'])} attempts, of ${String(row['used'])}`)
    }
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
