import { type Choices, leaveOut } from './build-request.ts'

/** A preset as the API lists it. */
export type Preset = { name: string; fields: Choices; values?: readonly string[] }

/**
 * The same request without values that are already the default or in the preset. If a value of the preset was removed, which no
 * request can express, the request is written out without the preset.
 */
export function shortenRequest(full: Choices, defaults: Choices, preset?: Preset): Choices {
  const fields = leaveOut(full, 'preset')
  if (!preset) return withoutSame(fields, defaults)
  const isTakenAway = (name: string) => !(name in fields) && !(name in defaults)
  if (Object.keys(preset.fields).some(isTakenAway)) return withoutSame(fields, defaults)
  const base = { ...defaults, ...preset.fields }
  return { ...withoutSame(fields, base), preset: preset.name }
}

/** The values that the controls show: those of the request over those of its preset over the defaults. */
export function spellOut(request: Choices, defaults: Choices, preset?: Preset): Choices {
  return { ...defaults, ...preset?.fields, ...request }
}

function withoutSame(fields: Choices, base: Choices): Choices {
  const differing = Object.entries(fields).filter(
    ([name, value]) => !(Object.hasOwn(base, name) && isSame(value, base[name])),
  )
  return Object.fromEntries(differing)
}

/** Whether two values are the same JSON, whatever the order of their fields. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [left, right] = [a as Choices, b as Choices]
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  )
}
