/** What the browser stores about an upload, so that it can continue after a reload. */
type Remembered = { uploadId: string; fileName: string; print: string; sentPercent: number }

/** `localStorage`, or a substitute in tests. */
type BrowserStore = {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

/** Identifies a file without reading it. */
export function printOf({
  name,
  size,
  lastModified,
}: Pick<File, 'name' | 'size' | 'lastModified'>): string {
  return `${name}|${size}|${lastModified}`
}

/**
 * One unfinished upload of one account, stored in the browser. In a browser that stores nothing, uploads do not survive a
 * reload.
 */
export class RememberedUpload {
  readonly #place: BrowserStore | undefined
  readonly #key: string

  constructor(place: BrowserStore | undefined, accountId: string) {
    this.#place = place
    this.#key = `spool.upload.${accountId}`
  }

  read(): Remembered | undefined {
    try {
      const kept: unknown = JSON.parse(this.#place?.getItem(this.#key) ?? 'null')
      return isRemembered(kept) ? kept : undefined
    } catch {
      return undefined
    }
  }

  keep(upload: Remembered): void {
    try {
      this.#place?.setItem(this.#key, JSON.stringify(upload))
    } catch {
      // Browsers refuse to store in private windows and when they are full.
    }
  }

  forget(): void {
    this.#place?.removeItem(this.#key)
  }
}

function isRemembered(kept: unknown): kept is Remembered {
  if (typeof kept !== 'object' || kept === null) return false
  const { uploadId, fileName, print, sentPercent } = kept as Partial<Remembered>
  return (
    [uploadId, fileName, print].every((text) => typeof text === 'string') &&
    typeof sentPercent === 'number'
  )
}
