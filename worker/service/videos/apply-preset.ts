import { builtInPresets } from '../../contract/options/built-in-presets.ts'
import type { FieldFault } from '../../contract/answers/errors.ts'
import { suggestValue } from '../../contract/input/explain-issue.ts'
import type { PresetFields } from '../../contract/options/preset.ts'
import { presetName } from '../../contract/options/preset-name.ts'
import type { Env } from '../../settings.ts'
import { findPreset, listPresetNames } from '../../store/presets.ts'

/** A request with the fields of its preset, and what is wrong with the preset that it names. */
export type Filled = {
  body: unknown
  /** The fields that the preset has brought, with its name. */
  from?: { preset: string; fields: ReadonlySet<string> }
  faults: FieldFault[]
}

/**
 * Fills in what the request leaves out. A field of the request takes the place of the same field of the preset, whole:
 * lists and objects are not merged, so that `"elements": []` means none.
 */
export async function applyPreset(env: Env, accountId: string, body: unknown): Promise<Filled> {
  const name = presetNamedIn(body)
  if (name === undefined) return { body, faults: [] }
  const found = await fieldsOf(env, accountId, name)
  if (!found) return { body, faults: [await unknownPreset(env, accountId, name)] }
  const asked = body as Record<string, unknown>
  const brought = Object.keys(found).filter((field) => !Object.hasOwn(asked, field))
  return {
    body: { ...found, ...asked },
    from: { preset: name, fields: new Set(brought) },
    faults: [],
  }
}

/** Undefined for a request without a preset, and for one whose `preset` the schema refuses. */
export function presetNamedIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, 'preset')) return undefined
  return presetName.safeParse((body as { preset: unknown }).preset).data
}

async function fieldsOf(
  env: Env,
  accountId: string,
  name: string,
): Promise<PresetFields | undefined> {
  return builtInPresets.get(name)?.fields ?? (await findPreset(env.DB, accountId, name))?.fields
}

async function unknownPreset(env: Env, accountId: string, name: string): Promise<FieldFault> {
  const known = [...(await listPresetNames(env.DB, accountId)), ...builtInPresets.keys()]
  const message = `There is no preset ${name}${suggestValue(name, known)}`
  return { field: 'preset', message }
}

/** Says of a fault that the request itself does not show where it comes from. */
export function tellOrigin({ field, message }: FieldFault, { from }: Filled): FieldFault {
  const [root = ''] = field.split(/[.[]/)
  if (!from?.fields.has(root)) return { field, message }
  return { field, message: `${message} (from the preset ${from.preset})` }
}
