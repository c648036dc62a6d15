import type { Machine, Reader, Setting } from './setting.ts'
import { settingsReadBy, type ValuesFor } from './table.ts'

/** Completes the sentence "NAME …". */
export type SettingFault = { readonly name: string; readonly rule: string }

type Texts = Readonly<Record<string, unknown>>
type SettingsReading<R extends Reader> =
  | { readonly values: ValuesFor<R>; readonly faults: readonly [] }
  | { readonly values?: undefined; readonly faults: readonly SettingFault[] }

/** Reads every setting of one program; an empty text counts as absent. */
export function readSettingsFor<R extends Reader>(
  reader: R,
  texts: Texts,
  machine: Machine,
): SettingsReading<R> {
  const faults: SettingFault[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of settingsReadBy(reader)) {
    const isNeeded = setting.neededBy?.includes(reader) ?? false
    const reading = readSetting(setting, textOr(texts[name], setting, machine), isNeeded)
    if ('value' in reading) values[name] = reading.value
    else faults.push(...reading.rules.map((rule) => ({ name, rule })))
  }
  if (faults.length > 0) return { faults }
  // The names and the types of their values come from one table.
  return { values: values as ValuesFor<R>, faults: [] }
}

/** Wrangler may pass a number. A fallback is parsed like a text that was given. */
export function textOr(
  given: unknown,
  { fallback }: Setting,
  machine: Machine,
): string | undefined {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text === 'string' && text !== '') return text
  return typeof fallback === 'function' ? fallback(machine) : fallback
}

export function readSetting(
  { kind }: Setting,
  text: string | undefined,
  isNeeded: boolean,
): { readonly value: unknown } | { readonly rules: readonly string[] } {
  if (text === undefined) return isNeeded ? { rules: ['is required'] } : { value: undefined }
  const parsed = kind.safeParse(text)
  if (parsed.success) return { value: parsed.data }
  return { rules: [...new Set(parsed.error.issues.map(({ message }) => message))] }
}
