import { builtInPresets } from '../../contract/options/presets/built-in-presets.ts'
import type { FieldFault } from '../../contract/answers/errors.ts'
import { suggestValue } from '../../contract/input/explain-issue.ts'
import { fieldPath } from '../../contract/input/field-path.ts'
import { inputAt } from '../../contract/input/schema-at.ts'
import { templateLimits } from '../../contract/limits.ts'
import { startSchema, type PresetFields } from '../../contract/options/presets/preset.ts'
import { presetName } from '../../contract/options/presets/preset-name.ts'
import {
  climbFault,
  fillTemplates,
  namedValues,
  slotsOf,
  templateValues,
  type Slot,
  type TemplateValue,
} from '../../contract/options/presets/templates.ts'
import type { Env } from '../../settings.ts'
import { presetRows } from '../../store/named-rows.ts'

/** A preset by its name, as a request finds it. */
export type FoundPreset = { name: string; fields: PresetFields }

/** A request with the fields of its preset, and the faults of the preset that it names. */
export type FilledRequest = {
  body: unknown
  /** The fields that came from the preset, with its name. */
  from?: {
    preset: string
    fields: ReadonlySet<string>
    slots: readonly Slot[]
    isUnfilled: boolean
  }
  faults: FieldFault[]
}

/**
 * Fills in the fields that the request leaves out. A field of the request replaces the same field of the preset as a
 * whole: lists and objects are not merged, so that `"elements": []` means none.
 */
export async function applyPreset(
  env: Env,
  accountId: string,
  body: unknown,
): Promise<FilledRequest> {
  const name = presetNamedIn(body)
  if (name === undefined) return { body, faults: strayValues(body) }
  const fields =
    builtInPresets.get(name)?.fields ?? (await presetRows.find(env.DB, accountId, name))?.fields
  if (fields) return fillIn({ name, fields }, body)
  const own = (await presetRows.list(env.DB, accountId)).map((preset) => preset.name)
  return { body, faults: [unknownPreset(name, [...own, ...builtInPresets.keys()])] }
}

/** The same with presets that were read already, for many requests of one account. */
export function fillFrom(presets: ReadonlyMap<string, FoundPreset>, body: unknown): FilledRequest {
  const name = presetNamedIn(body)
  if (name === undefined) return { body, faults: strayValues(body) }
  const found = presets.get(name)
  return found ? fillIn(found, body) : { body, faults: [unknownPreset(name, [...presets.keys()])] }
}

/** Undefined for a request without a preset, and for one whose `preset` the schema refuses. */
export function presetNamedIn(body: unknown): string | undefined {
  return presetName.safeParse(inputAt(body, ['preset'])).data
}

export function unknownPreset(name: string, known: readonly string[]): FieldFault {
  return { field: 'preset', message: `There is no preset ${name}${suggestValue(name, known)}` }
}

function strayValues(body: unknown): FieldFault[] {
  const isStray = inputAt(body, ['values']) !== undefined && inputAt(body, ['preset']) === undefined
  return isStray
    ? [{ field: 'values', message: 'Only with a preset, whose {{names}} it fills' }]
    : []
}

function fillIn(preset: FoundPreset, body: unknown): FilledRequest {
  const asked = body as Record<string, unknown>
  const brought = Object.fromEntries(
    Object.entries(preset.fields).filter(([field]) => !Object.hasOwn(asked, field)),
  )
  const given = givenValues(asked['values'])
  const slots = slotsOf(brought)
  const missing = missingFaults(preset.name, slots, given)
  const filled = fillTemplates(startSchema, brought, (one) => given.get(one))
  const faults = [
    ...unknownFaults(preset, given),
    ...missing,
    ...slots.flatMap((slot) => slotFaults(slot, filled)),
    ...sizeFaults(slots, filled),
  ]
  return {
    body: { ...filled, ...asked },
    from: {
      preset: preset.name,
      fields: new Set(Object.keys(brought)),
      slots,
      isUnfilled: missing.length > 0,
    },
    faults,
  }
}

/** A value that the schema refuses counts as given, because the schema reports it. */
function givenValues(values: unknown): ReadonlyMap<string, TemplateValue | undefined> {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return new Map()
  return new Map(
    Object.entries(values as Record<string, unknown>).map(([name, value]) => {
      const parsed = templateValues.safeParse({ [name]: value })
      return [name, parsed.data?.[name]] as const
    }),
  )
}

function unknownFaults(
  { name: preset, fields }: FoundPreset,
  given: ReadonlyMap<string, unknown>,
): FieldFault[] {
  const known = namedValues(fields).map(({ name }) => name)
  const has = known.length === 0 ? 'no values' : `only ${known.join(', ')}`
  return [...given.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      field: fieldPath(['values', name]),
      message: `Unknown value; the preset ${preset} has ${has}${suggestValue(name, known)}`,
    }))
}

function missingFaults(
  preset: string,
  slots: readonly Slot[],
  given: ReadonlyMap<string, unknown>,
): FieldFault[] {
  const missing = new Map<string, string>()
  for (const { path, names } of slots) {
    for (const name of names) {
      if (!given.has(name) && !missing.has(name)) missing.set(name, fieldPath(path))
    }
  }
  return [...missing].map(([name, field]) => ({
    field: `values.${name}`,
    message: `Required: the preset ${preset} has {{${name}}} in ${field}`,
  }))
}

function slotFaults(slot: Slot, filled: Record<string, unknown>): FieldFault[] {
  const message = climbFault(slot, inputAt(filled, slot.path))
  return message === undefined ? [] : [{ field: `values.${slot.names[0]}`, message }]
}

/** Limits the size of what the values fill in: a preset may use one name a thousand times. */
function sizeFaults(slots: readonly Slot[], filled: Record<string, unknown>): FieldFault[] {
  if (slots.length === 0) return []
  const bytes = new TextEncoder().encode(JSON.stringify(filled)).length
  if (bytes <= templateLimits.filledBytes) return []
  const message = `Makes the preset ${bytes} bytes of JSON; at most ${templateLimits.filledBytes} are allowed`
  return [{ field: 'values', message }]
}

/** Adds to a fault where it comes from, if the request itself does not show that: from a value, or from the preset. */
export function tellOrigins(faults: readonly FieldFault[], { from }: FilledRequest): FieldFault[] {
  if (!from) return [...faults]
  return faults.flatMap(({ field, message }) => {
    const [root = ''] = field.split(/[.[]/)
    if (!from.fields.has(root)) return [{ field, message }]
    const slot = from.slots.find(({ path }) => fieldPath(path) === field)
    // If nothing has filled a template, only the missing value is reported.
    if (from.isUnfilled && from.slots.some(({ path }) => path[0] === root)) return []
    if (!slot) return [{ field, message: `${message} (from the preset ${from.preset})` }]
    const [name = ''] = slot.names
    return [
      { field: `values.${name}`, message: `${message} (${field} of the preset ${from.preset})` },
    ]
  })
}
