import type { z } from 'zod'
import { faultSeparator } from './closed-object.ts'
import type { FieldFault } from './errors.ts'
import { limits } from './limits.ts'

type Path = readonly PropertyKey[]

/** `['elements', 2, 'position']` → `elements[2].position`; the body as a whole is `body`. */
export function fieldPath(path: Path): string {
  const text = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${shownKey(String(part))}`))
    .join('')
  return text.replace(/^\./, '') || 'body'
}

/** A key comes from the client and may be a megabyte long. */
function shownKey(key: string): string {
  const shown = key.length > 100 ? `${key.slice(0, 100)}…` : key
  // What has no character of its own would take six bytes each in JSON.
  return shown.toWellFormed().replace(/\p{Cc}/gu, '\ufffd')
}

/** Zod's issues as the `details` of an answer: one entry per fault, up to a limit. */
export function listFaults(error: z.core.$ZodError, input?: unknown): FieldFault[] {
  const faults = error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const messages = issue.message.split(faultSeparator)
      return issue.keys.slice(0, limits.reportedFaults).map((key, i) => ({
        field: fieldPath([...issue.path, key]),
        message: messages[i] ?? 'Unknown field',
      }))
    }
    return [{ field: fieldPath(issue.path), message: explain(issue, input) }]
  })
  return faults.slice(0, limits.reportedFaults)
}

function explain(issue: z.core.$ZodIssue, input: unknown): string {
  const isMissing = input !== undefined && valueAt(input, issue.path) === undefined
  if (issue.code === 'invalid_type' && isMissing) {
    return `Required (${issue.expected})`
  }
  return issue.message
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    input,
  )
}
