import type { Context } from 'hono'
import type { z } from 'zod'
import { AppError, type FieldFault } from '../../contract/answers/errors.ts'
import { parseInput } from '../../contract/input/parse-input.ts'
import type { AppEnv } from '../../http/app-env.ts'
import { readText } from '../../http/read-body.ts'

const formBytes = 16_384

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
  const type = c.req.header('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase()
  const text = await readText(c.req.raw, formBytes)
  if (text !== '' && type !== 'application/x-www-form-urlencoded') {
    throw new AppError('ValidationError', 'This form must be sent by its page.')
  }
  return Object.fromEntries(new URLSearchParams(text))
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
