import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabaseAlone } from '../../scripts/host/runtime.ts'
import type { Bound, Database, Ran } from '../platform/database.ts'

type Rows = { count: number; read: number; written: number }
/** The rows that D1 counted in some minutes of the day. */
export type RowsOfD1 = {
  /** How many videos the database held at the beginning. */
  videos: number
  /** Rows by the text of the statement, without those of the sweep. */
  statements: ReadonlyMap<string, Rows>
  /** The same for the sweep alone. */
  swept: ReadonlyMap<string, Rows>
}
type Asked = { sql: string; values: readonly unknown[]; isSwept: boolean }

const options = { bindings: {}, r2Buckets: {}, d1Databases: { DB: { id: 'scale' } } }
const askedAtOnce = 200

/**
 * Some minutes of the day as the database saw them: a copy of its content at the beginning, and all statements after it. SQLite
 * does not say how many rows a statement read, so D1 itself runs the same statements in the same order on the same content.
 */
export class DatabaseWindow {
  readonly #asked: Asked[] = []
  readonly #folder: string
  readonly #videos: number

  private constructor(folder: string, videos: number) {
    this.#folder = folder
    this.#videos = videos
  }

  static async begin(database: Database): Promise<DatabaseWindow> {
    const folder = await mkdtemp(path.join(tmpdir(), 'spool-scale-'))
    database.sqlite.exec(`VACUUM INTO '${path.join(folder, 'copy.sqlite')}'`)
    const [row] = database.read('SELECT count(*) AS videos FROM videos')
    return new DatabaseWindow(folder, Number(row?.['videos']))
  }

  hear(all: readonly Bound[], { by }: Ran): void {
    const isSwept = by.startsWith('tick ')
    for (const { text, values } of all) this.#asked.push({ sql: text.sql, values, isSwept })
  }

  /** Runs the statements in D1, and removes the copy. */
  async ask(): Promise<RowsOfD1> {
    const statements = new Map<string, Rows>()
    const swept = new Map<string, Rows>()
    try {
      await this.#placeCopy()
      const { database, close } = await openDatabaseAlone(options, this.#folder)
      for (let from = 0; from < this.#asked.length; from += askedAtOnce) {
        const some = this.#asked.slice(from, from + askedAtOnce)
        const bound = some.map(({ sql, values }) => database.prepare(sql).bind(...values))
        const results = await database.batch(bound)
        for (const [i, { sql, isSwept }] of some.entries()) {
          const { rows_read = 0, rows_written = 0 } = results[i]?.meta ?? {}
          addTo(isSwept ? swept : statements, sql, { read: rows_read, written: rows_written })
        }
      }
      await close()
    } finally {
      await rm(this.#folder, { recursive: true, force: true })
    }
    return { videos: this.#videos, statements, swept }
  }

  /** The runtime names its file by a hash of the binding, so the runtime creates it first. */
  async #placeCopy(): Promise<void> {
    const { database, close } = await openDatabaseAlone(options, this.#folder)
    await database.prepare('SELECT 1').run()
    await close()
    const all = await readdir(this.#folder, { recursive: true })
    const place = all.find((name) => name.includes(path.sep) && /(?<!metadata)\.sqlite$/.test(name))
    if (place === undefined) throw new Error('D1 has made no file')
    const file = path.join(this.#folder, place)
    for (const more of ['-wal', '-shm']) await rm(`${file}${more}`, { force: true })
    await rename(path.join(this.#folder, 'copy.sqlite'), file)
  }
}

function addTo(all: Map<string, Rows>, sql: string, rows: Omit<Rows, 'count'>): void {
  const known = all.get(sql) ?? { count: 0, read: 0, written: 0 }
  all.set(sql, {
    count: known.count + 1,
    read: known.read + rows.read,
    written: known.written + rows.written,
  })
}
