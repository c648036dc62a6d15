import type { Part, ValueKind } from './build-request.ts'
import type { Control, Field } from '../form/control.ts'

/** Far longer than the path of any control. */
const longestPath = 200

/** How the text of a control is read. */
export function valueKind(control: Control): ValueKind {
  switch (control.kind) {
    case 'flag':
      return 'flag'
    case 'number':
    case 'time':
    case 'mixed':
    case 'phrases':
    case 'terms':
    case 'json':
      return control.kind
    case 'choice':
      return kindOfScalar(control.values[0])
    case 'group':
      return 'item'
    case 'fixed':
    case 'text':
    case 'list':
      return 'text'
  }
}

function kindOfScalar(value: unknown): ValueKind {
  if (typeof value === 'boolean') return 'flag'
  return typeof value === 'number' ? 'number' : 'text'
}

/**
 * Reads a form that a browser sent without scripts. A field that belongs to no control stays, so that the API refuses it by
 * name. Blank items that nobody filled in send only their kind and boxes that are not ticked; they are left out.
 */
export function readVideoForm(
  fields: readonly Field[],
  entries: Iterable<readonly [string, string]>,
): Part[] {
  const parts = [...entries].flatMap(([path, text]) => {
    const control = controlAt(fields, path)
    return text.trim() === '' ? [] : [{ path, text, control, item: itemOf(path) }]
  })
  const isUntouched = ({ control, text }: { control: Control | undefined; text: string }) =>
    control?.kind === 'fixed' || (control?.kind === 'flag' && text === 'false')
  const given = new Set(parts.flatMap((part) => (isUntouched(part) ? [] : itemsOf(part.path))))
  return parts
    .filter((part) => !isUntouched(part) || part.item === undefined || given.has(part.item))
    .map(({ path, text, control }) => ({ path, kind: kindOf(control, text), text }))
}

function kindOf(control: Control | undefined, text: string): ValueKind {
  if (!control) return 'text'
  const mayBeObject = control.kind === 'flag' || (control.kind === 'choice' && control.byHand)
  return mayBeObject && text.startsWith('{') ? 'json' : valueKind(control)
}

/** The innermost item that holds a path: `files[0]` of `files[0].url`. */
function itemOf(path: string): string | undefined {
  return /^.*\]/.exec(path)?.[0]
}

function itemsOf(path: string): string[] {
  const ends = [...path.slice(0, longestPath).matchAll(/\]/g)].map(({ index }) => index + 1)
  return ends.map((end) => path.slice(0, end))
}

function controlAt(fields: readonly Field[], path: string): Control | undefined {
  const names = path.split('.').map((step) => step.replace(/\[\d+\]$/, ''))
  return names.reduce<{ among: readonly Field[]; control?: Control | undefined }>(
    ({ among }, name) => {
      const control = among.find((field) => field.name === name)?.control
      return { among: control ? fieldsIn(control) : [], control }
    },
    { among: fields },
  ).control
}

/** The fields of a group, or of every kind of item in a list: fields with one name are read alike. */
function fieldsIn(control: Control): readonly Field[] {
  if (control.kind === 'group') return control.fields
  return control.kind === 'list' ? control.kinds.flatMap((kind) => kind.fields) : []
}
