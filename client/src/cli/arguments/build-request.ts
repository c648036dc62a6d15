import { UsageError } from '../session/command-error.ts'
import { textFlag, type Flag } from './flag.ts'
import type { Typed } from './command.ts'
import { parseJson, put, readTextFile } from './read-value.ts'
import { requestFlags } from './request-flags.ts'

/** Flags for everything that has no flag of its own. */
export const freeFlags: readonly Flag[] = [
  textFlag(
    'options',
    'FILE',
    'JSON with fields of the request; flags come on top. - reads standard input',
  ),
  textFlag(
    'value',
    'NAME=TEXT',
    "What stands in place of {{NAME}} in the preset: --value 'title=Chapter one'",
    { many: true },
  ),
  textFlag(
    'set',
    'FIELD=JSON',
    "Any field, also one that is newer than this program: --set 'elements[0].zIndex=2'",
    { many: true },
  ),
]

/** The fields of a request: those of a file, then those of flags, then those of `--set`. */
export function buildRequest(given: Typed): Record<string, unknown> {
  const request = readOptions(given.text('options'))
  for (const { field, name } of requestFlags) {
    const value = given.value(name)
    if (value !== undefined) request[field] = value
  }
  for (const text of given.texts('value')) setValue(request, text)
  for (const text of given.texts('set')) setField(request, text)
  return request
}

function readOptions(file: string | undefined): Record<string, unknown> {
  if (file === undefined) return {}
  const options = parseJson(readTextFile(file), file === '-' ? 'Standard input' : file)
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new UsageError(`${file} must hold one JSON object with fields of the request.`)
  }
  return { ...options }
}

/** Stays text: the service takes `12` for a number where one belongs. */
function setValue(request: Record<string, unknown>, given: string): void {
  const [, name, text] = /^([^=]+)=(.*)$/s.exec(given) ?? []
  if (name === undefined || text === undefined) {
    throw new UsageError(`--value takes NAME=TEXT, not "${given}".`, [
      "An example: --value 'title=Chapter one'",
    ])
  }
  put(request, ['values', name], text)
}

function setField(request: object, text: string): void {
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (path === undefined || value === undefined) {
    throw new UsageError(`--set takes FIELD=JSON, not "${text}".`, [
      "An example: --set 'elements[0].zIndex=2'",
    ])
  }
  put(
    request,
    path.split(/[.[\]]+/).filter((part) => part !== ''),
    jsonOrText(value),
  )
}

/** Text that is not JSON stands for itself: quoting it twice would be a nuisance in a shell. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
