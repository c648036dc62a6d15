import { keyFault } from './object-key.ts'
import { storageName } from './storage-name.ts'

const scheme = /^storage:\/\//i

/** An object in a storage of the account: `storage://raw/talk.mp4`. */
export type StorageAddress = { storage: string; key: string }

export function isStorageAddress(text: string): boolean {
  return scheme.test(text)
}

/** What is wrong with an address that begins with `storage://`. */
export function storageAddressFault(text: string): string | undefined {
  const read = readParts(text)
  return typeof read === 'string' ? read : undefined
}

/** Undefined for every other address, and for one that has a fault. */
export function readStorageAddress(text: string): StorageAddress | undefined {
  const read = isStorageAddress(text) ? readParts(text) : ''
  return typeof read === 'string' ? undefined : read
}

/** A key is written as the path of an address is, so that every key can be named. */
function readParts(text: string): StorageAddress | string {
  const [, storage = '', path = ''] = /^([^/]*)\/?(.*)$/s.exec(text.replace(scheme, '')) ?? []
  if (/[\s\\\p{Cc}]/u.test(text)) {
    return 'Must not contain spaces, control characters or backslashes; write a space as %20'
  }
  if (!storageName.safeParse(storage).success) {
    return 'Must begin with the name of a storage, such as storage://raw/talk.mp4'
  }
  if (/[?#]/.test(path)) return 'Must write ? as %3F and # as %23'
  const key = decodePath(path)
  if (key === undefined) return 'Has a % that is not followed by two hex digits; write it as %25'
  const fault = keyFault(key)
  if (fault === undefined) return { storage, key }
  return key === '' ? 'Must name a file, such as storage://raw/talk.mp4' : fault
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    // Not an escape, or escaped bytes that are not UTF-8.
    return undefined
  }
}
