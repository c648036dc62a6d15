/** The events of `SPOOL_LOG=json`. Programs match on them, so a name stays what it is: docs/operations.md lists them. */
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
