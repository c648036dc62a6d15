import { uploadId } from '../ids.ts'

const scheme = /^upload:\/\//i

/** A file that the account has uploaded, where an address is asked for: `upload://u_8fJ2kQpX8fJ2kQpX`. */
export function isUploadAddress(text: string): boolean {
  return scheme.test(text)
}

export function uploadAddressFault(text: string): string | undefined {
  return readUploadAddress(text) === undefined
    ? 'Must name an upload by its uploadId, such as upload://u_8fJ2kQpX8fJ2kQpX'
    : undefined
}

/** The upload that is named; undefined for every other address, and for one that has a fault. */
export function readUploadAddress(text: string): string | undefined {
  if (!isUploadAddress(text)) return undefined
  const read = uploadId.safeParse(text.replace(scheme, ''))
  return read.success ? read.data : undefined
}
