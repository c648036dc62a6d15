import type { World } from '../engine/world.ts'
import type { Database } from '../platform/database.ts'

const triggers = `
  CREATE TEMP TRIGGER tell_state AFTER UPDATE ON main.videos
  BEGIN SELECT tell('state', NEW.id); END;
`

const hasEnded = "v.status NOT IN ('queued', 'running')"

/** What must never hold of a row, whatever statement has written it, and what it is called. */
const faults: Record<string, string> = {
  'waits in a phase': "v.status = 'queued' AND v.phase IS NOT NULL",
  'works in no phase': "v.status = 'running' AND v.phase IS NULL",
  'has ended in a phase': `${hasEnded} AND v.phase IS NOT NULL`,
  'has an end before its end': `NOT (${hasEnded}) AND coalesce(v.finished_at, v.terminal_event_id, v.error_message, v.files_expire_at) IS NOT NULL`,
  'has ended without a time, or without a term for its files': `${hasEnded} AND (v.finished_at IS NULL OR v.files_expire_at IS NULL)`,
  'has ended, and its job has not': `${hasEnded} AND j.finished_at IS NULL`,
  'has not ended, and its job has': `NOT (${hasEnded}) AND j.finished_at IS NOT NULL`,
  'waits, and its words are being heard':
    "v.status = 'queued' AND v.transcript_status NOT IN ('not_requested', 'pending')",
  'waits, and its pictures are being looked at':
    "v.status = 'queued' AND v.analysis_status NOT IN ('not_requested', 'pending')",
  'works, and its job has not begun': "v.status = 'running' AND j.started_at IS NULL",
  'works without an attempt': `v.status = 'running' AND NOT EXISTS (SELECT 1 FROM job_attempts AS a
    WHERE a.job_id = j.id AND a.fence = j.fence AND a.attempt = j.attempts AND a.finished_at IS NULL)`,
}

const sql = `SELECT CASE ${Object.entries(faults)
  .map(([fault, isSo]) => `WHEN ${isSo} THEN '${fault}'`)
  .join(' ')} END AS fault
  FROM videos AS v JOIN jobs AS j ON j.video_id = v.id WHERE v.id = ?`

/** Whether the columns of a video, its job and its attempts fit the state in which it is. */
export class StateRules {
  readonly #world: World
  readonly #database: Database

  constructor(world: World, database: Database) {
    this.#world = world
    this.#database = database
    database.watch(triggers)
  }

  /** Called for each committed change. */
  hear(what: string, videoId: string): void {
    if (what !== 'state') return
    const [row] = this.#database.read(sql, videoId)
    const fault = row?.['fault']
    if (typeof fault === 'string') this.#world.break(`${videoId} ${fault}`)
  }
}
