import type { FieldFault } from '../../../contract/answers/errors.ts'
import { fieldOfSource, type Source } from './choose-source.ts'

export const missing: Readonly<Record<Source, string>> = {
  upload: 'Choose a file',
  address: 'Enter an address',
  several: 'Add a file',
  again: 'Choose a source',
}

/** Faults of a source that the form does not show are told at the one that it shows, and so is a missing source. */
export function atSource({ field, message }: FieldFault, source: Source): FieldFault {
  const shown = fieldOfSource[source]
  const isOther = field !== shown && Object.values<string>(fieldOfSource).includes(field)
  const isMissing = field === shown && message.startsWith('Required')
  return isOther || isMissing ? { field: shown, message: missing[source] } : { field, message }
}
