import { sizeText } from '../../client/src/cli/terminal/quantities.ts'

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
