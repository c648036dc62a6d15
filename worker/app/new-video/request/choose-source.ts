import { type Choices, leaveOut } from './build-request.ts'
import type { FieldFault } from '../../../contract/answers/errors.ts'

const sources = ['upload', 'address', 'several', 'again'] as const
export type SourceKind = (typeof sources)[number]

export const fieldOfSource = {
  upload: 'uploadId',
  address: 'fileUrl',
  several: 'files',
  again: 'sourceVideoId',
} as const

/** The request with the chosen source only; the values entered for other sources stay in the form. */
export function chooseSource(request: Choices, source: SourceKind): Choices {
  const given = request[fieldOfSource[source]]
  return {
    ...(given === undefined ? {} : { [fieldOfSource[source]]: given }),
    ...leaveOut(request, ...Object.values(fieldOfSource), 'combine'),
    ...(source === 'several' ? { combine: true } : {}),
  }
}

/** Which source a request has. */
export function sourceOf({ fileUrl, files, uploadId, sourceVideoId }: Choices): SourceKind {
  if (sourceVideoId !== undefined) return 'again'
  if (uploadId !== undefined) return 'upload'
  if (files !== undefined) return 'several'
  return fileUrl === undefined ? 'upload' : 'address'
}

/** A source out of a form; files come first on the page. */
export function readSource(text: string | undefined): SourceKind {
  return sources.find((source) => source === text) ?? 'upload'
}

export const missing: Readonly<Record<SourceKind, string>> = {
  upload: 'Choose a file',
  address: 'Enter an address',
  several: 'Add a file',
  again: 'Choose a source',
}

/** Moves a fault of a source that the form does not show, or of a missing one, to the source that it shows. */
export function atSource({ field, message }: FieldFault, source: SourceKind): FieldFault {
  const shown = fieldOfSource[source]
  const isOther = field !== shown && Object.values<string>(fieldOfSource).includes(field)
  const isMissing = field === shown && message.startsWith('Required')
  return isOther || isMissing ? { field: shown, message: missing[source] } : { field, message }
}
