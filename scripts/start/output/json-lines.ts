import type { News, Teller } from './news.ts'

/** Writes one JSON object a line, for machines. */
export class JsonLines implements Teller {
  readonly isLive = false
  readonly #write: (text: string) => unknown
  readonly #now: () => Date

  constructor(write: (text: string) => unknown, now: () => Date = () => new Date()) {
    this.#write = write
    this.#now = now
  }

  tell({ event, level = 'info', text, fields = { message: text?.trim() } }: News): void {
    this.#write(`${JSON.stringify({ at: this.#now().toISOString(), level, event, ...fields })}\n`)
  }

  show(): void {
    // Nothing changes in place.
  }
}
