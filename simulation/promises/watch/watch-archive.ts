import type { World } from '../../engine/world.ts'
import type { Bucket } from '../../platform/bucket.ts'
import type { Database } from '../../platform/database.ts'

type Row = Record<string, unknown>
type Stored = { video: Row; job: Row; attempts: Row[] }
type Parts = {
  world: World
  database: Database
  bucket: () => Pick<Bucket, 'objects'>
  /** Whether a customer has asked for the deletion of this video. */
  isDeleting: (videoId: string) => boolean
}

/** Longer than a sweep takes to write what it has read. */
const writtenMs = 5_000

const tables = ['job_attempts', 'jobs', 'videos'] as const

/** Whether the archive has every column of the rows that leave the database for it, as it was. */
export class WatchArchive {
  readonly #parts: Parts
  /** Rows that have gone, of videos that have not gone yet: in the same batch the video is the last. */
  readonly #gone = new Map<string, Row[]>()

  constructor(parts: Parts) {
    this.#parts = parts
    const { database } = parts
    for (const table of tables) {
      const columns = database.read(`SELECT name FROM pragma_table_info('${table}')`)
      const pairs = columns.map(({ name }) => `'${String(name)}', OLD.${String(name)}`)
      database.watch(`CREATE TEMP TRIGGER tell_row_of_${table} AFTER DELETE ON main.${table}
        BEGIN SELECT tell('row gone', '${table}', json_object(${pairs.join()})); END;`)
    }
  }

  /** A row has gone. */
  heard(table: string, text: string): void {
    const row = JSON.parse(text) as Row
    if (table === 'job_attempts') return this.#keep(`attempts of ${String(row['job_id'])}`, row)
    if (table === 'jobs') return this.#keep(`jobs of ${String(row['video_id'])}`, row)
    const videoId = String(row['id'])
    const [job = {}] = this.#take(`jobs of ${videoId}`)
    const attempts = this.#take(`attempts of ${String(job['id'])}`)
    const compare = (): void => {
      if (!this.#parts.isDeleting(videoId)) this.#compare(videoId, { video: row, job, attempts })
    }
    compare()
    // A sweep that has read the row earlier may still be writing.
    this.#parts.world.loop.in(writtenMs, compare)
  }

  #compare(videoId: string, rows: Stored): void {
    const { world, bucket } = this.#parts
    const key = `archive/${String(rows.video['account_id'])}/videos/${videoId}.json`
    const object = bucket().objects.get(key)
    if (!object) return world.break(`${videoId} has left the database, and the archive lacks it`)
    const stored = JSON.parse(new TextDecoder().decode(object.bytes)) as Stored
    const parts: [string, Row, Row | undefined][] = [
      [videoId, rows.video, stored.video],
      [`the job of ${videoId}`, rows.job, stored.job],
      ...rows.attempts.map((row): [string, Row, Row | undefined] => [
        `attempt ${String(row['fence'])} of ${videoId}`,
        row,
        stored.attempts.find(({ fence }) => fence === row['fence']),
      ]),
    ]
    for (const [name, row, kept] of parts) {
      const lost = Object.keys(row).filter((column) => !isSame(kept?.[column], row[column]))
      if (lost.length > 0)
        world.break(`${name} has left the database, and its archive has another ${lost.join()}`)
    }
  }

  #keep(name: string, row: Row): void {
    this.#gone.set(name, [...(this.#gone.get(name) ?? []), row])
  }

  #take(name: string): Row[] {
    const rows = this.#gone.get(name) ?? []
    this.#gone.delete(name)
    return rows
  }
}

/** SQLite writes fewer digits of a fraction. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) < 1e-6
  return one === other
}
