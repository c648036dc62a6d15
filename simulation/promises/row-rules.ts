import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

/** Longer than a webhook waits for its next attempt. */
const longestPauseMs = 12 * 3_600_000

const nextOfUpload: Record<string, readonly string[]> = {
  open: ['ready', 'refused', 'dropped'],
  receiving: ['used', 'dropped'],
  ready: ['used', 'dropped'],
  refused: ['dropped'],
}

/** Reports changes of rows that must never happen, and a few more by which others can be judged. */
const triggers = `
  CREATE TEMP TRIGGER tell_upload_status AFTER UPDATE OF status ON main.uploads WHEN OLD.status <> NEW.status
  BEGIN SELECT tell('upload status', NEW.id, OLD.status, NEW.status); END;
  CREATE TEMP TRIGGER tell_attempts AFTER UPDATE OF attempt_count ON main.webhook_deliveries
    WHEN NEW.attempt_count <> OLD.attempt_count + 1 OR NEW.round_start > NEW.attempt_count
      OR OLD.status <> 'pending' AND (OLD.status <> 'stopped' OR OLD.endpoint_id IS NULL)
  BEGIN SELECT tell('delivery attempts', NEW.id, OLD.attempt_count, NEW.attempt_count, OLD.status); END;
  CREATE TEMP TRIGGER tell_delivery_state AFTER UPDATE ON main.webhook_deliveries
    WHEN (NEW.status = 'pending') <> (NEW.finished_at IS NULL) OR OLD.status = 'succeeded' AND NEW.status NOT IN ('succeeded', 'pending')
      OR OLD.finished_at IS NOT NULL AND NEW.finished_at IS NULL AND NEW.round_at = OLD.round_at
  BEGIN SELECT tell('delivery state', NEW.id, OLD.status, NEW.status, NEW.finished_at); END;
  CREATE TEMP TRIGGER tell_overtaken AFTER UPDATE OF attempt_count ON main.webhook_deliveries
    WHEN unixepochOf(NEW.attempts ->> '$[#-1].at') < NEW.round_at AND NEW.status NOT IN ('succeeded', 'stopped')
      AND (NEW.status <> OLD.status OR NEW.due_at IS NOT OLD.due_at)
  BEGIN SELECT tell('overtaken', NEW.id, NEW.status, unixepochOf(NEW.attempts ->> '$[#-1].at')); END;
  CREATE TEMP TRIGGER tell_early AFTER UPDATE OF attempt_count ON main.webhook_deliveries
    WHEN unixepochOf(NEW.attempts ->> '$[#-1].at') BETWEEN OLD.round_at AND OLD.due_at - 1000
  BEGIN SELECT tell('early', NEW.id, OLD.due_at); END;
  CREATE TEMP TRIGGER tell_round AFTER UPDATE OF round_start ON main.webhook_deliveries WHEN NEW.round_start <> OLD.round_start
  BEGIN SELECT tell('round', NEW.id, NEW.round_at); END;
  CREATE TEMP TRIGGER tell_turn AFTER UPDATE OF turn ON main.accounts WHEN NEW.turn IS NOT max(
      coalesce(OLD.turn + 1.0 / NEW.weight, 0), (SELECT coalesce(max(turn), 0) FROM accounts WHERE id <> NEW.id))
  BEGIN SELECT tell('turn', NEW.id, OLD.turn, NEW.turn); END;
  CREATE TEMP TRIGGER tell_again AFTER UPDATE OF outcome ON main.job_attempts WHEN OLD.outcome IS NOT NULL
  BEGIN SELECT tell('outcome again', NEW.job_id, NEW.fence, OLD.outcome, NEW.outcome); END;
  CREATE TEMP TRIGGER tell_ended AFTER UPDATE ON main.videos WHEN OLD.finished_at IS NOT NULL AND (OLD.finished_at <> NEW.finished_at
    OR OLD.terminal_event_id <> NEW.terminal_event_id OR json_remove(OLD.transcript, '$.renamed') IS NOT json_remove(NEW.transcript, '$.renamed') OR OLD.created_at <> NEW.created_at
    OR OLD.error_message IS NOT NEW.error_message OR OLD.files_expire_at <> NEW.files_expire_at OR OLD.work IS NOT NEW.work
    OR OLD.phase IS NOT NEW.phase OR OLD.progress_percent <> NEW.progress_percent)
  BEGIN SELECT tell('changed after its end', NEW.id); END;
  CREATE TEMP TRIGGER tell_words AFTER INSERT ON main.kept_words WHEN NOT EXISTS
    (SELECT 1 FROM videos WHERE id = NEW.video_id AND account_id = NEW.account_id AND status = 'running')
  BEGIN SELECT tell('words', NEW.video_id); END;
  CREATE TEMP TRIGGER tell_return AFTER UPDATE OF status ON main.videos WHEN OLD.status = 'running' AND NEW.status = 'queued'
  BEGIN SELECT tell('return', NEW.id); END;
  CREATE TEMP TRIGGER tell_beginning AFTER UPDATE OF status ON main.videos WHEN NEW.status = 'running'
  BEGIN SELECT tell('began', NEW.id, NEW.account_id, (SELECT turn FROM accounts WHERE id = NEW.account_id),
    (SELECT waits FROM jobs WHERE video_id = NEW.id)); END;
  CREATE TEMP TRIGGER tell_job_ended AFTER UPDATE OF finished_at ON main.jobs WHEN NEW.finished_at IS NOT NULL
  BEGIN SELECT tell('job ended', NEW.id, NEW.attempts, NEW.waits); END;
  CREATE TEMP TRIGGER tell_chain AFTER UPDATE OF chain ON main.jobs WHEN NEW.chain <> OLD.chain
    AND (SELECT status FROM videos WHERE id = NEW.video_id) = 'running'
  BEGIN SELECT tell('chain', NEW.id, NEW.fence); END;
  CREATE TEMP TRIGGER tell_unwanted AFTER INSERT ON main.webhook_deliveries WHEN NEW.endpoint_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE id = NEW.endpoint_id AND disabled_at IS NULL)
  BEGIN SELECT tell('unwanted', NEW.id, NEW.endpoint_id); END;
  CREATE TEMP TRIGGER tell_disabled AFTER UPDATE OF disabled_at ON main.webhook_endpoints WHEN NEW.disabled_at IS NOT NULL
  BEGIN SELECT tell('endpoint off', NEW.id); END;
  CREATE TEMP TRIGGER tell_removed AFTER DELETE ON main.webhook_endpoints
  BEGIN SELECT tell('endpoint off', OLD.id); END;
  CREATE TEMP TRIGGER tell_fence AFTER UPDATE OF fence ON main.jobs WHEN NEW.fence < OLD.fence
  BEGIN SELECT tell('fence', NEW.id, OLD.fence, NEW.fence); END;
`

/** Changes that no row may make. */
export class RowRules {
  readonly #world: World
  /** When the redelivery of each delivery began. */
  readonly #rounds = new Map<string, number>()
  /** The number of the present message for each job that has gone back to the line. */
  readonly #chains = new Map<string, number>()
  /** The place of each account in the order of turns when its last job began. */
  readonly #turns = new Map<string, number>()
  readonly #database: Database

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
    database.watch(triggers)
  }

  /** Called for each committed change. */
  hear(what: string, one: string, two: string, three: string, four: string): void {
    switch (what) {
      case 'upload status':
        if (!nextOfUpload[two]?.includes(three)) this.#broken(`${one} went from ${two} to ${three}`)
        return
      case 'delivery attempts':
        return this.#broken(`${one} had ${two} attempts, has ${three}, and was ${four}`)
      case 'delivery state':
        return this.#broken(`${one} was ${two}, and is ${three} with the end ${four}`)
      case 'round':
        this.#rounds.set(one, Number(two))
        return
      case 'overtaken':
        if (this.#hasStepped) return
        // Two redeliveries that are asked for at once count as one.
        if (Number(three) >= (this.#rounds.get(one) ?? 0)) return
        return this.#broken(`${one} is sent once more, and an earlier attempt made it ${two}`)
      case 'early':
        if (this.#hasStepped) return
        return this.#broken(`${one} was due at ${two}, and was tried before`)
      case 'turn':
        return this.#broken(
          `the turn of ${one} went from ${two} to ${three}, which its job does not cost`,
        )
      case 'outcome again':
        return this.#broken(`attempt ${two} of ${one} was ${three}, and is ${four}`)
      case 'changed after its end':
        return this.#broken(`${one} has ended, and was changed`)
      case 'words':
        return this.#broken(`${one} is not at work, and words of it are kept`)
      case 'return':
        return this.#heardReturn(one)
      case 'began':
        return this.#heardBeginning(one, two, { turn: three, waits: four })
      case 'job ended':
        return this.#heardEnd(one, two, three)
      case 'chain':
        return this.#broken(
          `${one} was put back into the line, and attempt ${two} of it is at work`,
        )
      case 'fence':
        return this.#broken(`the fence of ${one} fell from ${two} to ${three}`)
      case 'unwanted':
        return this.#broken(`${one} is for ${two}, which is disabled or deleted`)
      case 'endpoint off':
        return this.#heardOff(one)
    }
  }

  /** Times of attempts come from clocks that a step may have changed since the one before. */
  get #hasStepped(): boolean {
    const { faults, now } = this.#world
    return faults.lastOf('clock steps') > now - longestPauseMs
  }

  /** Messages from before an attempt do not concern the job that waits again. */
  #heardReturn(videoId: string): void {
    const [job] = this.#database.read('SELECT chain FROM jobs WHERE video_id = ?', videoId)
    const chain = Number(job?.['chain'])
    if (chain <= (this.#chains.get(videoId) ?? 0))
      this.#broken(
        `${videoId} is back in the line, and messages from before its attempt would still start it`,
      )
    this.#chains.set(videoId, chain)
  }

  /** After an endpoint is disabled or deleted, its deliveries under way are not sent. */
  #heardOff(endpointId: string): void {
    const sql = 'SELECT id FROM webhook_deliveries WHERE endpoint_id = ? AND finished_at IS NULL'
    const [left] = this.#database.read(sql, endpointId)
    if (left) this.#broken(`${endpointId} is off, and ${String(left['id'])} is still sent to it`)
  }

  /** A job that begins leaves the line, and moves its account on in the order of turns. */
  #heardBeginning(
    videoId: string,
    accountId: string,
    { turn, waits }: { turn: string; waits: string },
  ): void {
    if (waits !== '0') this.#broken(`${videoId} is at work, and counts as one that waits`)
    const before = this.#turns.get(accountId) ?? -1
    const now = turn === 'null' ? -1 : Number(turn)
    this.#turns.set(accountId, now)
    if (now <= before)
      this.#broken(`${videoId} has begun, and the turn of ${accountId} is ${turn} as before`)
  }

  /** A job that has ended counts its last attempt. */
  #heardEnd(jobId: string, attempts: string, waits: string): void {
    if (waits !== '0') this.#broken(`${jobId} has ended, and counts as one that waits`)
    const [last] = this.#database.read(
      `SELECT a.attempt FROM job_attempts AS a JOIN jobs AS j ON j.id = a.job_id
       WHERE j.id = ? AND a.finished_at = j.finished_at ORDER BY a.fence DESC LIMIT 1`,
      jobId,
    )
    if (last && String(last['attempt']) !== attempts)
      this.#broken(
        `${jobId} has ended with attempt ${String(last['attempt'])}, and counts ${attempts}`,
      )
  }

  #broken(promise: string): void {
    this.#world.break(promise)
  }
}
