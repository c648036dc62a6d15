/** Shows how far a long copy is on one line of a terminal; in a pipe it says nothing. */
export class ProgressLine {
  readonly #out: { isTTY?: boolean; write: (text: string) => unknown }
  #totalBytes = 0
  #bytes = 0
  #label = ''
  #shownAtMs = 0

  constructor(out: { isTTY?: boolean; write: (text: string) => unknown }) {
    this.#out = out
  }

  begin(label: string, totalBytes: number): void {
    this.clear()
    this.#label = label
    this.#totalBytes = totalBytes
    this.#bytes = 0
    this.#show()
  }

  add(bytes: number): void {
    this.#bytes += bytes
    if (performance.now() - this.#shownAtMs > 200) this.#show()
  }

  clear(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K')
  }

  #show(): void {
    if (!this.#out.isTTY) return
    this.#shownAtMs = performance.now()
    const percent =
      this.#totalBytes === 0 ? 100 : Math.floor((100 * this.#bytes) / this.#totalBytes)
    this.#out.write(`\r\u001b[K${this.#label}: ${percent} % of ${sizeText(this.#totalBytes)}`)
  }
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `1.4 GB` */
export function sizeText(bytes: number): string {
  let [value, unit] = [bytes, 0]
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1]
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`
}
