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
