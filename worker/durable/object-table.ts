/** A table in the storage of an object, made with its first query: an object that was only asked stores nothing. */
export class ObjectTable {
  readonly #sql: SqlStorage
  readonly #schema: string
  #isOpen = false

  constructor(sql: SqlStorage, schema: string) {
    this.#sql = sql
    this.#schema = schema
  }

  protected run<Result extends Record<string, SqlStorageValue>>(
    query: string,
    ...values: (string | number | null)[]
  ): Result[] {
    if (!this.#isOpen) {
      this.#sql.exec(this.#schema)
      this.#isOpen = true
    }
    return this.#sql.exec<Result>(query, ...values).toArray()
  }

  /** Call this after the storage was emptied; the next query creates the table again. */
  closed(): void {
    this.#isOpen = false
  }
}
