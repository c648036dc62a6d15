import { isDeepStrictEqual } from 'node:util'

/** What Drizzle makes of a statement. */
type Query = { sql: string; params: unknown[] }
type Config = {
  escapeName: (name: string) => string
  escapeParam: (index: number, value: unknown) => string
  inlineParams?: boolean
  invokeSource?: string
}
/** A piece of a statement; what it has depends on its class. */
type Piece = {
  value: unknown
  encoder: { mapToDriverValue: (value: unknown) => unknown }
  queryChunks: readonly unknown[]
  shouldInlineParams: boolean
  /** Its text, if it has no parameters. Most pieces come again and again. */
  fixedText?: string
}
type Class = abstract new (...given: never[]) => object
type Kind = 'StringChunk' | 'Name' | 'SQL' | 'Column' | 'Param' | 'Placeholder' | 'other'
/** Drizzle's own way. */
type Slowly = (pieces: readonly unknown[], config: Config) => Query

/**
 * Writes the same statements as Drizzle does, in one pass. Drizzle makes several objects for each piece and joins them on every
 * level; what is rare is left to it.
 */
export class QuickSql {
  readonly #classes: readonly (readonly [string, Class])[]
  readonly #kinds = new Map<unknown, Kind>()
  /** Texts that Drizzle has written too. */
  readonly #checked = new Set<string>()
  #isChecking = false

  constructor(classes: Record<Exclude<Kind, 'other'>, Class>) {
    this.#classes = Object.entries(classes)
  }

  write(pieces: readonly unknown[], config: Config, slowly: Slowly): Query {
    const isRare = config.inlineParams === true || config.invokeSource !== undefined
    if (this.#isChecking || isRare) return slowly(pieces, config)
    const made = new Writing(this, config, slowly).write(pieces)
    if (!this.#checked.has(made.sql)) this.#check(made, () => slowly(pieces, config))
    return made
  }

  /** The first time that a text is written, Drizzle writes the whole of it as well. */
  #check(made: Query, slowly: () => Query): void {
    this.#isChecking = true
    try {
      const { sql, params } = slowly()
      if (made.sql !== sql || !isDeepStrictEqual(made.params, params))
        throw new Error(`Drizzle writes ${sql}, and not ${made.sql}`)
    } finally {
      this.#isChecking = false
    }
    this.#checked.add(made.sql)
  }

  /** By what has made it: asking whether it is of each class in turn takes longer than all the rest. */
  kindOf(piece: object): Kind {
    const { constructor } = piece
    const known = this.#kinds.get(constructor)
    if (known) return known
    const name = this.#classes.find(([, one]) => piece instanceof one)?.[0] ?? 'other'
    this.#kinds.set(constructor, name as Kind)
    return name as Kind
  }
}

/** Their texts do not change. */
const columns = new WeakMap<object, string>()

/** One statement. */
class Writing {
  readonly #params: unknown[] = []
  readonly #quick: QuickSql
  readonly #config: Config
  readonly #slowly: Slowly
  /** How many pieces of what is written may be different next time. */
  #changing = 0

  constructor(quick: QuickSql, config: Config, slowly: Slowly) {
    this.#quick = quick
    this.#config = config
    this.#slowly = slowly
  }

  write(pieces: readonly unknown[]): Query {
    return { sql: this.#all(pieces), params: this.#params }
  }

  #all(pieces: readonly unknown[]): string {
    let text = ''
    for (const piece of pieces) text += this.#textOf(piece)
    return text
  }

  #textOf(piece: unknown): string {
    if (piece === undefined) return ''
    if (typeof piece !== 'object' || piece === null) return this.#param(piece)
    const one = piece as Piece
    switch (this.#quick.kindOf(piece)) {
      case 'StringChunk':
        return (one.value as string[]).join('')
      case 'SQL':
        return one.shouldInlineParams ? this.#left(piece) : this.#sql(one)
      case 'Name':
        return this.#config.escapeName(one.value as string)
      case 'Column':
        return this.#column(piece)
      case 'Param':
        return this.#encoded(one)
      default:
        return this.#left(piece)
    }
  }

  #sql(piece: Piece): string {
    if (piece.fixedText !== undefined) return piece.fixedText
    const before = this.#changing
    const text = this.#all(piece.queryChunks)
    if (this.#changing === before) piece.fixedText = text
    return text
  }

  #column(piece: object): string {
    const known = columns.get(piece)
    if (known !== undefined) return known
    const { sql } = this.#slowly([piece], this.#config)
    columns.set(piece, sql)
    return sql
  }

  #encoded(piece: Piece): string {
    const { value, encoder } = piece
    if (this.#isOf('Placeholder', value)) return this.#left(piece)
    const mapped = value === null ? null : encoder.mapToDriverValue(value)
    return this.#isOf('SQL', mapped) ? this.#textOf(mapped) : this.#param(mapped)
  }

  #isOf(kind: Kind, value: unknown): boolean {
    return typeof value === 'object' && value !== null && this.#quick.kindOf(value) === kind
  }

  #param(value: unknown): string {
    this.#changing++
    this.#params.push(value)
    return this.#config.escapeParam(0, value)
  }

  #left(piece: unknown): string {
    this.#changing++
    const { sql, params } = this.#slowly([piece], this.#config)
    this.#params.push(...params)
    return sql
  }
}
