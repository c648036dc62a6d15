import type { SQLInputValue } from 'node:sqlite'
import { cloned } from '../engine/cloned.ts'
import type { World } from '../engine/world.ts'
import { KeptSqlite, SqlitePool } from './kept-sqlite.ts'
import { holdLimit } from './limits.ts'

/** Databases of objects that are over, by the schema that made their tables. */
const pools = new Map<string, SqlitePool<ObjectStorage>>()

function poolOf(schema: string): SqlitePool<ObjectStorage> {
  const known = pools.get(schema)
  if (known) return known
  const made = new SqlitePool<ObjectStorage>(() => {
    const kept = new KeptSqlite<ObjectStorage>()
    kept.executeOnce(schema)
    return kept
  })
  pools.set(schema, made)
  return made
}

/**
 * The storage of one Durable Object. A write is kept at once: a message that leaves the object waits for its writes, so nobody
 * can see an object that has lost a write it has spoken of.
 */
export class ObjectStorage {
  readonly #world: World
  readonly #values = new Map<string, unknown>()
  readonly #ring: (at: number | undefined) => void
  #database: { kept: KeptSqlite<ObjectStorage>; pool: SqlitePool<ObjectStorage> } | undefined
  alarmAt: number | undefined

  constructor(world: World, ring: (at: number | undefined) => void) {
    this.#world = world
    this.#ring = ring
  }

  readonly kv = {
    get: (key: string): unknown => cloned(this.#values.get(key)),
    put: (key: string, value: unknown): void => {
      holdLimit('storedBytes', sizeOf(value), (broken) => this.#world.break(broken))
      this.#values.set(key, cloned(value))
    },
    delete: (key: string): boolean => this.#values.delete(key),
    list: ({ prefix = '' }: { prefix?: string } = {}) =>
      [...this.#values]
        .filter(([key]) => key.startsWith(prefix))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, value]) => [key, cloned(value)] as const),
  }

  readonly sql = {
    exec: (query: string, ...values: SQLInputValue[]) => {
      const rows = this.#exec(query, values)
      return { toArray: () => rows }
    },
  }

  async setAlarm(at: number | Date): Promise<void> {
    this.alarmAt = Number(at)
    this.#ring(this.alarmAt)
  }

  async getAlarm(): Promise<number | null> {
    return this.alarmAt ?? null
  }

  async deleteAlarm(): Promise<void> {
    this.alarmAt = undefined
    this.#ring(undefined)
  }

  async deleteAll(): Promise<void> {
    this.#values.clear()
    this.close()
    await this.deleteAlarm()
  }

  /** Releases its database for another object. */
  close(): void {
    if (this.#database) this.#database.pool.giveBack(this.#database.kept)
    this.#database = undefined
  }

  get isEmpty(): boolean {
    return this.#values.size === 0 && !this.#database
  }

  /** The names of all stored values. */
  get kept(): string[] {
    return [...this.#values.keys(), ...(this.#database ? ['a database'] : [])]
  }

  #exec(query: string, values: readonly SQLInputValue[]): unknown[] {
    if (values.length === 0 && query.includes('CREATE TABLE')) {
      this.#open(query)
      return []
    }
    if (!this.#database) throw new Error(`no such table: ${query}`)
    return this.#database.kept.query(query).all(values)
  }

  /** An object makes all of its tables at once, and again each time it comes to life. */
  #open(schema: string): void {
    if (this.#database) return this.#database.kept.executeOnce(schema)
    const pool = poolOf(schema)
    this.#database = { pool, kept: pool.take(this) }
  }
}

/** About the length of the value's JSON, without making that. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  for (const [name, one] of Object.entries(value)) size += name.length + 4 + sizeOf(one)
  return size
}
