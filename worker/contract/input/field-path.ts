import type { Path } from './schema-at.ts'

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
  // JSON would write each control character as six bytes.
  return shown.toWellFormed().replace(/\p{Cc}/gu, '\ufffd')
}
