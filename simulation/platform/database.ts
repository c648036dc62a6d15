import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { root } from '../../scripts/machine/checkout.ts'
import { here } from '../engine/life.ts'
import type { Ways, World } from '../engine/world.ts'
import { KeptSqlite, SqlitePool, type Query } from './kept-sqlite.ts'
import { countUse, holdLimit } from './limits.ts'

type Row = Record<string, unknown>
type Result = { results: Row[]; success: true; meta: { readonly size_after: number } }
export type Bound = { text: Text; values: readonly unknown[] }
/** `ms`: the processor time that the statements took. */
export type Ran = { by: string; ms: number }
/** A statement without its values. The same texts come again and again, and looking one up takes as long as running it. */
type Text = {
  sql: string
  name: string
  grows: boolean
  reads: boolean
  rows?: Query
  arrays?: Query
}
type Told = (what: string, ...values: readonly unknown[]) => void

/** Called with the changes of rows once they are committed. */
type RowWatch = Told

const ways: Ways = {
  fails: 'statement fails',
  unanswered: 'statement unanswered',
  slow: 'statement slow',
  late: 'statement answered late',
  ms: 6,
  error: () => new Error('D1_ERROR: Network connection lost.'),
}
/** Durability is off: only this process reads the file, which is removed at the end of the day. */
const likeMemory =
  'PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -2000000'

const waysOfWrites: Ways = { ...ways, outlived: 'sender dies', changes: true }
/** Most guards concern changes that several statements write at one moment. */
const waysOfBatches: Ways = { ...waysOfWrites, weight: 3 }

/** Databases in memory, which one world after another uses. */
const pool = new SqlitePool<Database>(() => made())

/** Makes a database with the tables of the service, and with functions that ask the world to which it belongs. */
function made(file?: string): KeptSqlite<Database> {
  const kept = new KeptSqlite<Database>(file)
  const { sqlite } = kept
  // Statements that ask SQLite for the time get that of the world.
  sqlite.function('unixepoch', { varargs: true, deterministic: false }, (...given) => {
    const isNow = given[0] === undefined || given[0] === 'subsec'
    const at = isNow && kept.owner ? kept.owner.wall : Number.NaN
    return given[0] === 'subsec' ? at / 1000 : Math.floor(at / 1000)
  })
  sqlite.function('unixepochOf', (text) => Date.parse(String(text)))
  sqlite.function('tell', { varargs: true }, (what, ...values) => {
    kept.owner?.heard(String(what), values)
    return null
  })
  const folder = path.join(root, 'migrations')
  for (const name of readdirSync(folder).sort()) {
    if (name.endsWith('.sql')) sqlite.exec(readFileSync(path.join(folder, name), 'utf8'))
  }
  sqlite.exec('PRAGMA foreign_keys = ON; PRAGMA synchronous = OFF')
  if (file !== undefined) sqlite.exec(likeMemory)
  return kept
}

/** D1 on SQLite itself, in memory: one statement or batch after another, each whole or not at all. */
export class Database {
  statements = 0
  /** Called with each batch that has run, and for whom. */
  onRan: ((all: readonly Bound[], ran: Ran) => void) | undefined
  /** Statements with this text fail. */
  refuses: string | undefined
  /** The changes reported by triggers; they count once they are committed. */
  #told: [string, ...unknown[]][] = []
  readonly #world: World
  readonly #tell: Told
  readonly #isInMemory: boolean
  #kept: KeptSqlite<Database> | undefined
  readonly #texts = new Map<string, Text>()

  /** `file`: for a large database. In memory, SQLite looks at every page at the end of every change. */
  constructor(world: World, tell: RowWatch, file?: string) {
    this.#world = world
    this.#tell = tell
    this.#isInMemory = file === undefined
    this.#kept = file === undefined ? pool.take(this) : made(file)
    this.#kept.owner = this
  }

  /** Closes the database; nothing may be asked of it after that. */
  close(): void {
    const kept = this.#open
    this.#kept = undefined
    if (this.#isInMemory) pool.giveBack(kept)
    else kept.sqlite.close()
  }

  get sqlite(): DatabaseSync {
    return this.#open.sqlite
  }

  get wall(): number {
    return this.#world.loop.wall
  }

  /** Called by the triggers. */
  heard(what: string, values: readonly unknown[]): void {
    this.#told.push([what, ...values])
  }

  /** Makes triggers that report changes. */
  watch(triggers: string): void {
    this.#open.executeOnce(triggers)
  }

  get #open(): KeptSqlite<Database> {
    if (!this.#kept) throw new Error('The world of this database is over')
    return this.#kept
  }

  /** The service's `env.DB`. */
  readonly binding = {
    prepare: (sql: string) => new Statement(this, { text: this.#textOf(sql), values: [] }),
    batch: async (statements: readonly Statement[]) => {
      const all = statements.map(({ bound }) => bound)
      return this.ask(all, () => this.#atomic(() => all.map((bound) => this.#run(bound))))
    },
  }

  async ask<Value>(all: readonly Bound[], run: () => Value): Promise<Value> {
    const tell = (broken: string): void => this.#world.break(broken)
    countUse('subrequests', tell)
    for (const { text, values } of all) {
      countUse('statements', tell)
      holdLimit('parameters', values.length, tell)
      holdLimit('statementBytes', text.sql.length, tell)
      holdLimit('rowBytes', bytesOf(values), tell)
    }
    const { name: by } = here()
    const what = `D1 ${all.map(({ text }) => text.name).join(' + ')}`
    return this.#world.ask(
      what,
      () => {
        const { refuses } = this
        if (refuses !== undefined && all.some(({ text }) => text.sql.includes(refuses)))
          throw new Error('D1_ERROR: no such column: SQLITE_ERROR')
        if (
          all.some(({ text }) => text.grows) &&
          this.#world.faults.strikes('database full', `${this.statements}`)
        ) {
          throw new Error('D1_ERROR: database or disk is full: SQLITE_FULL')
        }
        if (!this.onRan) return run()
        const begunAt = performance.now()
        const value = run()
        this.onRan(all, { by, ms: performance.now() - begunAt })
        return value
      },
      waysFor(all),
    )
  }

  one(bound: Bound): Result {
    return this.#heard(() => this.#run(bound))
  }

  arrays({ text, values }: Bound): unknown[] {
    this.statements++
    return this.#heard(() => {
      text.arrays ??= this.#open.queryArrays(text.sql)
      return text.arrays.all(values.map(asInput))
    })
  }

  /** Reads for the simulator itself: takes no time, and never fails. */
  read<Found extends Row>(sql: string, ...values: SQLInputValue[]): Found[] {
    return this.#open.query(sql).all(values) as Found[]
  }

  get bytes(): number {
    const [pages, free] = [this.read('PRAGMA page_count'), this.read('PRAGMA freelist_count')]
    return (Number(pages[0]?.['page_count']) - Number(free[0]?.['freelist_count'])) * 4096
  }

  #textOf(sql: string): Text {
    const known = this.#texts.get(sql)
    if (known) return known
    const name = shortened(sql)
    const reads = name.startsWith('SELECT ')
    const text = { sql, name, grows: name.startsWith('INSERT '), reads }
    this.#texts.set(sql, text)
    return text
  }

  #run({ text, values }: Bound): Result {
    this.statements++
    text.rows ??= this.#open.query(text.sql)
    const results = text.rows.all(values.map(asInput)) as Row[]
    return { results, success: true, meta: this.#meta }
  }

  /** A getter, because reading the size takes as long as a statement and few callers want it. */
  readonly #meta = Object.defineProperty({}, 'size_after', {
    get: () => this.bytes,
  }) as Result['meta']

  #atomic<Value>(run: () => Value): Value {
    return this.#heard(() => {
      this.read('BEGIN')
      const value = run()
      this.read('COMMIT')
      return value
    })
  }

  #heard<Value>(run: () => Value): Value {
    this.#told = []
    try {
      const value = run()
      for (const one of this.#told) this.#tell(...one)
      return value
    } catch (error) {
      if (this.sqlite.isTransaction) this.sqlite.exec('ROLLBACK')
      const { message } = error instanceof Error ? error : { message: String(error) }
      throw new Error(`D1_ERROR: ${message}: SQLITE_ERROR`)
    } finally {
      this.#told = []
    }
  }
}

class Statement {
  readonly bound: Bound
  readonly #database: Database

  constructor(database: Database, bound: Bound) {
    this.#database = database
    this.bound = bound
  }

  bind(...values: unknown[]): Statement {
    return new Statement(this.#database, { ...this.bound, values })
  }

  async all() {
    return this.#database.ask([this.bound], () => this.#database.one(this.bound))
  }

  async run() {
    return this.all()
  }

  async raw(): Promise<unknown[]> {
    return this.#database.ask([this.bound], () => this.#database.arrays(this.bound))
  }

  async first(column?: string): Promise<unknown> {
    const { results } = await this.all()
    const [row] = results
    return column === undefined ? (row ?? null) : (row?.[column] ?? null)
  }
}

function waysFor(all: readonly Bound[]): Ways {
  if (all.every(({ text }) => text.reads)) return ways
  return all.length > 1 ? waysOfBatches : waysOfWrites
}

function bytesOf(values: readonly unknown[]): number {
  let bytes = 0
  for (const value of values) bytes += typeof value === 'string' ? value.length : 8
  return bytes
}

function asInput(value: unknown): SQLInputValue {
  if (value === undefined) throw new Error('D1_TYPE_ERROR: undefined')
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}

/** The verb and the first table of a statement, which are enough for a diary. */
function shortened(sql: string): string {
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? ''
  const table = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql)?.[1] ?? ''
  return `${verb} ${table}`
}
