import type { Context } from 'hono'
import type { z } from 'zod'
import { AppError, type FieldFault } from '../../contract/answers/errors.ts'
import { parseInput } from '../../contract/input/parse-input.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readText } from '../../http/read-body.ts'

export type EnteredFields = Readonly<Record<string, string>>
/** The messages, by the name of the field that each stands beside. */
export type FormFaults = Readonly<Record<string, string>>

type FormReading<Value> =
  | { ok: true; value: Value; fields: EnteredFields }
  | { ok: false; faults: FormFaults; fields: EnteredFields }

/** Reads the form of a page: the entries, and either the parsed value or the faults. */
export async function readCheckedForm<Schema extends z.ZodType>(
  c: Context<AppEnv>,
  schema: Schema,
): Promise<FormReading<z.output<Schema>>> {
  return checkFields(await readFields(c), schema)
}

/** The entries in the form of a page. */
export async function readFields(c: Context<AppEnv>): Promise<EnteredFields> {
  return Object.fromEntries(await readForm(c, 16_384))
}

/** What the form of a page posted. Browsers encode a form like this unless it has a file. */
export async function readForm(c: Context<AppEnv>, mostBytes = 65_536): Promise<URLSearchParams> {
  const type = c.req.header('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase()
  const text = await readText(c.req.raw, mostBytes)
  if (text !== '' && type !== 'application/x-www-form-urlencoded') {
    throw new AppError('ValidationError', 'This form must be sent by its page.')
  }
  return new URLSearchParams(text)
}

/** The text of a field; undefined if it is empty. */
export function fieldText(form: URLSearchParams, name: string): string | undefined {
  const text = form.get(name)?.trim()
  return text === '' ? undefined : text
}

export function checkFields<Schema extends z.ZodType>(
  fields: EnteredFields,
  schema: Schema,
): FormReading<z.output<Schema>> {
  const parsed = parseInput(schema, fields)
  if (parsed.ok) return { ok: true, value: parsed.value, fields }
  return { ok: false, faults: byField(parsed.faults), fields }
}

/** The first fault of each field. */
function byField(faults: readonly FieldFault[]): FormFaults {
  return Object.fromEntries(faults.toReversed().map(({ field, message }) => [field, `${message}.`]))
}
