/** What a browser remembers of an upload, so that it can go on after a reload. */
type Remembered = { uploadId: string; fileName: string; print: string; sentPercent: number }

/** `localStorage`, or what a test puts in its place. */
type Place = {
  getItem: (key: string) => string | null
  setItem: (key: string, value: string) => void
  removeItem: (key: string) => void
}

/** Tells a file from others without reading it. */
export function printOf({
  name,
  size,
  lastModified,
}: Pick<File, 'name' | 'size' | 'lastModified'>): string {
  return `${name}|${size}|${lastModified}`
}

/**
 * One unfinished upload of one account, kept in the browser. A browser that keeps nothing loses no more than the way to go
 * on after a reload.
 */
export class RememberedUpload {
  readonly #place: Place | undefined
  readonly #key: string

  constructor(place: Place | undefined, accountId: string) {
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
      // Browsers refuse it in private windows or when they are full.
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
