import { Column, DrizzleQueryError, is, Param, Placeholder, SQL, type Query } from 'drizzle-orm'
import { callStorage, openDatabase, type Database } from './database.ts'
import { isRecord } from '../contract/input/is-record.ts'

/** The type of the value that something stands for. */
declare const valueOf: unique symbol

type Bindable = string | number | boolean | null | readonly unknown[]
type StandInFor<Value> = Placeholder<string, Value> & SQL<Value>
type FieldOf<Value> = undefined extends Value
  ? StandInFor<Exclude<Value, undefined>> | undefined
  : StandInFor<Value>

/** Stands for a value, or for each field of an object, in a statement that is built before the values are known. */
export type Given<Value> = { readonly [valueOf]?: Value } & ([Value] extends [Bindable | undefined]
  ? undefined extends Value
    ? 'Only the fields of an object may be left out'
    : StandInFor<Value>
  : IsUnion<Value> extends true
    ? 'Each of these objects would make another statement'
    : { readonly [BoundField in keyof Value]-?: FieldOf<Value[BoundField]> })

type IsUnion<Value, All = Value> = Value extends unknown
  ? [All] extends [Value]
    ? false
    : true
  : never

type Params = readonly unknown[]
type Build<Asked extends Params, Built> = (db: Database, ...given: Asked) => Built
type Ask<Asked extends Params, Answer> = (
  d1: D1Database,
  ...values: {
    [I in keyof Asked]: Asked[I] extends { readonly [valueOf]?: infer Value } ? Value : never
  }
) => Promise<Answer>

/** What Drizzle makes of a statement. Its types do not tell of the last two. */
type Prepared = {
  getQuery: () => Query
  mapAllResult: (rows: unknown) => unknown
  mapResult: (result: unknown, isFromBatch: boolean) => unknown
  fields?: readonly BoundField[]
  joinsNotNullableMap?: Readonly<Record<string, boolean>>
}
type BoundField = { path: readonly string[]; field: unknown }
type ValueRow = readonly unknown[]
type Preparable = { prepare: () => Prepared }
type WithRows<Found> = { prepare: () => Prepared & { all: () => Promise<Found[]> } }

type Read = (values: Params) => unknown

class StandIn extends Placeholder {
  readonly read: Read

  constructor(read: Read) {
    super('given')
    this.read = read
  }
}

type ValueFields = Readonly<Record<string, unknown>>

function standInFor(value: unknown, i: number): unknown {
  if (!isRecord(value)) return new StandIn((values) => values[i])
  const given = Object.keys(value).filter((field) => value[field] !== undefined)
  return Object.fromEntries(
    given.map((field) => [field, new StandIn((values) => (values[i] as ValueFields)[field])]),
  )
}

/** Names the given fields: a statement without some of them may have another text. */
function shapeOf(values: Params): string {
  let shape = ''
  for (const value of values) {
    if (!isRecord(value)) continue
    for (const field in value) if (value[field] !== undefined) shape += `${field} `
  }
  return shape
}

/** The given number plus another one. */
export function plus(given: Given<number>, more: number): Given<number> {
  const { read } = given as unknown as StandIn
  return new StandIn((values) => Number(read(values)) + more) as unknown as Given<number>
}

function readerOf(param: unknown): Read {
  if (param instanceof StandIn) return param.read
  if (!is(param, Param) || !(param.value instanceof StandIn)) return () => param
  const { encoder, value } = param
  return (values) => {
    const given = value.read(values)
    return given === null ? null : encoder.mapToDriverValue(given)
  }
}

type Decoder = { mapFromDriverValue: (value: unknown) => unknown }

/** Undefined if the value is used as the database stores it. */
function decoderOf(field: unknown): Decoder['mapFromDriverValue'] | undefined {
  if (is(field, Column)) {
    const isAsStored = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    return isAsStored ? undefined : (value) => field.mapFromDriverValue(value)
  }
  const text = is(field, SQL.Aliased) ? field.sql : field
  const { decoder } = text as { decoder: Decoder }
  return (value) => decoder.mapFromDriverValue(value)
}

/** Reads rows as Drizzle does, but decides once for each column what it is, instead of for each value in each row. */
function rowReader(fields: readonly BoundField[]): (row: ValueRow) => unknown {
  const places = fields.map(({ path, field }, i) => {
    const [name = '', ...above] = path.toReversed()
    return { i, above: above.reverse(), name, decode: decoderOf(field) }
  })
  return (row) => {
    const read: Record<string, unknown> = {}
    for (const { i, above, name, decode } of places) {
      let at = read
      for (const part of above) at = (at[part] ??= {}) as Record<string, unknown>
      const value = row[i] ?? null
      at[name] = value === null || !decode ? value : decode(value)
    }
    return read
  }
}

/** A built statement to which values can be bound. */
class Statement {
  readonly prepared: Prepared
  readonly readAll: (rows: unknown) => unknown
  readonly #text: string
  readonly #readers: readonly Read[]

  constructor(built: Preparable) {
    this.prepared = built.prepare()
    const { sql, params } = this.prepared.getQuery()
    this.#text = sql
    this.#readers = params.map(readerOf)
    const { fields, joinsNotNullableMap: isThere = {} } = this.prepared
    // If a joined row is missing, its object is null as a whole, which only Drizzle's own reader knows.
    const isQuick = fields && !Object.values(isThere).includes(false)
    const readRow = isQuick ? rowReader(fields) : undefined
    this.readAll = (rows) =>
      readRow ? (rows as ValueRow[]).map(readRow) : this.prepared.mapAllResult(rows)
  }

  bind(d1: D1Database, values: Params): D1PreparedStatement {
    return d1.prepare(this.#text).bind(...this.#readers.map((read) => read(values)))
  }

  async ask(d1: D1Database, values: Params, way: 'raw' | 'run'): Promise<unknown> {
    try {
      return await this.bind(d1, values)[way]()
    } catch (error) {
      throw error instanceof Error ? new DrizzleQueryError(this.#text, [], error) : error
    }
  }
}

/**
 * Drizzle takes longer to build a statement than the rest of a query takes. So the first call builds it, with a stand-in
 * for each value, and later ones only bind theirs. A call that leaves fields out builds a statement of its own.
 */
function once<Asked extends Params, Built, Kept>(
  build: Build<Asked, Built>,
  keep: (built: Built) => Kept,
): (d1: D1Database, values: Params) => Kept {
  const byShape = new Map<string, Kept>()
  return (d1, values) => {
    const shape = shapeOf(values)
    const known = byShape.get(shape)
    if (known) return known
    // A call has a value for each parameter, of the type that its stand-in has.
    const kept = keep(build(openDatabase(d1), ...(values.map(standInFor) as unknown as Asked)))
    byShape.set(shape, kept)
    return kept
  }
}

/** All rows that the statement finds, or changes and returns. */
export function findAll<Asked extends Params, Found, Shown = Found>(
  build: Build<Asked, WithRows<Found>>,
  show?: (row: Found) => Shown,
): Ask<Asked, Shown[]> {
  const statementFor = once(build, (built) => new Statement(built))
  return async (d1, ...values) =>
    callStorage(async () => {
      const statement = statementFor(d1, values)
      const rows = statement.readAll(await statement.ask(d1, values, 'raw')) as Found[]
      return show ? rows.map(show) : (rows as unknown as Shown[])
    }, build)
}

/** The first of these rows. */
export function findOne<Asked extends Params, Found, Shown = Found>(
  build: Build<Asked, WithRows<Found>>,
  show?: (row: Found) => Shown,
): Ask<Asked, Shown | undefined> {
  const find = findAll(build, show)
  return async (d1, ...values) => (await find(d1, ...values))[0]
}

/** Whether the statement finds or changes a row. */
export function whether<Asked extends Params>(
  build: Build<Asked, WithRows<unknown>>,
): Ask<Asked, boolean> {
  const find = findAll(build)
  return async (d1, ...values) => (await find(d1, ...values)).length > 0
}

export function change<Asked extends Params>(build: Build<Asked, Preparable>): Ask<Asked, void> {
  const statementFor = once(build, (built) => new Statement(built))
  return async (d1, ...values) => {
    await callStorage(async () => statementFor(d1, values).ask(d1, values, 'run'), build)
  }
}

/** A statement for a batch that the caller puts together. */
export function part<Asked extends Params>(
  build: Build<Asked, Preparable>,
): (...given: Parameters<Ask<Asked, unknown>>) => D1PreparedStatement {
  const statementFor = once(build, (built) => new Statement(built))
  return (d1, ...values) => statementFor(d1, values).bind(d1, values)
}

type AllResults<All> = {
  -readonly [I in keyof All]: All[I] extends { _: { result: infer Result } } ? Result : never
}

/** Runs all of these statements or none, at one moment. */
export function together<
  Asked extends Params,
  const All extends readonly Preparable[],
  Shown = AllResults<All>,
>(build: Build<Asked, All>, show?: (results: AllResults<All>) => Shown): Ask<Asked, Shown> {
  const statementsFor = once(build, (all) => all.map((built) => new Statement(built)))
  return async (d1, ...values) =>
    callStorage(async () => {
      const all = statementsFor(d1, values)
      const answers = await d1.batch(all.map((statement) => statement.bind(d1, values)))
      const results = all.map(({ prepared }, i) => prepared.mapResult(answers[i], true))
      // Each result has the type of its statement.
      return show ? show(results as AllResults<All>) : (results as Shown)
    }, build)
}

/** Asks nothing for an empty list. */
export function forSome<Item, Rest extends Params, Answer>(
  ask: (d1: D1Database, some: readonly Item[], ...rest: Rest) => Promise<Answer>,
): (d1: D1Database, some: readonly Item[], ...rest: Rest) => Promise<Answer | []> {
  return async (d1, some, ...rest) => (some.length === 0 ? [] : ask(d1, some, ...rest))
}
