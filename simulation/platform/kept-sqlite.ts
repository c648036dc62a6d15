import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** Statements whose last value is a limit. */
const limited = /\blimit \?\d*(?=[\s)]*$)/i

/**
 * A statement without its values. SQLite's plans depend on the value of a limit, so it prepares a statement again whenever its
 * limit changes; here each limit has a statement of its own, with the same plan.
 */
export class Query {
  readonly #prepare: (sql: string) => StatementSync
  readonly #sql: string
  readonly #isLimited: boolean
  readonly #byLimit = new Map<unknown, StatementSync>()
  #statement: StatementSync | undefined

  constructor(sql: string, prepare: (sql: string) => StatementSync) {
    this.#sql = sql
    this.#prepare = prepare
    this.#isLimited = limited.test(sql)
  }

  all(values: readonly SQLInputValue[]): unknown[] {
    const limit = this.#isLimited ? values.at(-1) : undefined
    if (typeof limit === 'number') return this.#limitedTo(limit).all(...values.slice(0, -1))
    this.#statement ??= this.#prepare(this.#sql)
    return this.#statement.all(...values)
  }

  #limitedTo(limit: number): StatementSync {
    const known = this.#byLimit.get(limit)
    if (known) return known
    const made = this.#prepare(this.#sql.replace(limited, `limit ${limit}`))
    this.#byLimit.set(limit, made)
    return made
  }
}

/**
 * A SQLite database with the statements that were prepared for it. Preparing those of one world takes as long as running them,
 * so the next world gets the same database, emptied, with its tables, triggers and statements.
 */
export class KeptSqlite<Owner> {
  readonly sqlite: DatabaseSync
  /** The owner in the world to which it belongs now. */
  owner: Owner | undefined
  readonly #queries = new Map<string, Query>()
  readonly #inArrays = new Map<string, Query>()
  #size = 0
  readonly #executed = new Set<string>()

  constructor(file = ':memory:') {
    this.sqlite = new DatabaseSync(file)
  }

  /** How many statements are prepared. */
  get size(): number {
    return this.#size
  }

  query(sql: string): Query {
    const known = this.#queries.get(sql)
    if (known) return known
    const made = new Query(sql, (text) => this.#prepare(text))
    this.#queries.set(sql, made)
    return made
  }

  /** The same statement with its rows as arrays. */
  queryArrays(sql: string): Query {
    const known = this.#inArrays.get(sql)
    if (known) return known
    const made = new Query(sql, (text) => {
      const statement = this.#prepare(text)
      statement.setReturnArrays(true)
      return statement
    })
    this.#inArrays.set(sql, made)
    return made
  }

  #prepare(sql: string): StatementSync {
    this.#size++
    return this.sqlite.prepare(sql)
  }

  /** Makes tables or triggers, unless an earlier world has made them already. */
  executeOnce(sql: string): void {
    if (this.#executed.has(sql)) return
    this.sqlite.exec(sql)
    this.#executed.add(sql)
  }

  /** Removes all rows. Tables that refer to others were made after them, so they come first. */
  empty(): void {
    if (this.sqlite.isTransaction) this.sqlite.exec('ROLLBACK')
    const tables = this.query(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid DESC",
    ).all([]) as { name: string }[]
    // Triggers of the service write rows when others are removed.
    for (let pass = 0; pass < mostPasses; pass++) {
      for (const { name } of tables) this.query(`DELETE FROM "${name}"`).all([])
      const left = tables.some(({ name }) => this.query(`SELECT 1 FROM "${name}"`).all([]).length)
      if (!left) return
    }
    throw new Error('A database could not be emptied')
  }
}

const mostPasses = 3

/** A limit, because texts that contain their values would pile up. */
const mostStatements = 10_000
const mostFree = 200

/** Databases in memory that no world uses now. */
export class SqlitePool<Owner> {
  readonly #free: KeptSqlite<Owner>[] = []
  readonly #make: () => KeptSqlite<Owner>

  constructor(make: () => KeptSqlite<Owner>) {
    this.#make = make
  }

  take(owner: Owner): KeptSqlite<Owner> {
    const one = this.#free.pop() ?? this.#make()
    one.owner = owner
    return one
  }

  giveBack(one: KeptSqlite<Owner>): void {
    if (one.size > mostStatements || this.#free.length >= mostFree) return one.sqlite.close()
    one.empty()
    one.owner = undefined
    this.#free.push(one)
  }
}
