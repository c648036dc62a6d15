/** The events of `SPOOL_LOG=json`. Programs match on them, so names never change: docs/operators/operations.md lists them. */
type NewsEvent =
  | 'starting'
  | 'ready'
  | 'job.started'
  | 'job.running'
  | 'job.ended'
  | 'part.died'
  | 'disk'
  | 'log'
  | 'mail'
  | 'note'
  | 'stopping'
  | 'failed'

/** Something that `npm start` has to say: `text` to people, who need not hear all of it; `event` and `fields` to programs. */
export type News = {
  readonly event: NewsEvent
  readonly level?: 'info' | 'warn' | 'error'
  readonly text?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

export type Teller = {
  /** True if it can show lines that change in place. */
  readonly isLive: boolean
  tell: (news: News) => void
  /** Replaces the lines that change in place. */
  show: (lines: readonly string[]) => void
}

/** Passes on a sentence that has no event of its own. */
export function noteTo(teller: Teller): (text: string) => void {
  return (text) => teller.tell({ event: 'note', text })
}

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
