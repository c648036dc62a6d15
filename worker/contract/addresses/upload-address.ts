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
  return uploadId.safeParse(text.replace(scheme, '')).data
}

/** Origins whose pages may PUT parts; `*` stands for all of them. */
export type UploadOrigins = ReadonlySet<string>

/** Reads `https://app.example.com,http://localhost:5173`; an empty text allows none. */
export function parseUploadOrigins(text: string): UploadOrigins {
  const entries = text.split(',').map((entry) => entry.trim())
  return new Set(entries.filter((entry) => entry !== '').map(parseOrigin))
}

function parseOrigin(entry: string): string {
  if (entry === '*') return entry
  const url = /^https?:\/\/[a-z0-9.:[\]-]+\/?$/.test(entry) ? URL.parse(entry) : null
  if (!url || entry.replace(/\/$/, '') !== url.origin) {
    throw new Error(`"${entry}" is not an origin such as https://app.example.com`)
  }
  return url.origin
}

export function isUploadOrigin(origins: UploadOrigins, origin: string): boolean {
  return origins.has('*') || origins.has(origin)
}
