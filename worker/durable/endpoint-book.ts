import { webhookLimits } from '../contract/limits.ts'
import type { NotedAttempt } from '../store/webhooks/delivery-changes.ts'
import { ObjectTable } from './object-table.ts'

/** Notes the attempt under way, so that it can be recorded even if its process dies. */
export type SendingNote = Pick<NotedAttempt, 'number' | 'round' | 'roundAt'> & {
  redelivery: boolean
  /** A test is tried only once, because the client that asked for it waits for the result. */
  isTest?: boolean
  at: number
}

export type BookEntry = {
  id: string
  sending: SendingNote | undefined
  /** The result of an attempt that is not recorded in D1 yet. */
  outcome: NotedAttempt | undefined
}

type DueEvent = { id: string; sending: string | null; outcome: string | null }

const schema = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT PRIMARY KEY,
    due_at INTEGER NOT NULL,
    lease_until INTEGER,
    sending TEXT,
    outcome TEXT
  );
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (due_at) WHERE lease_until IS NULL;
  CREATE INDEX IF NOT EXISTS deliveries_leased ON deliveries (lease_until) WHERE lease_until IS NOT NULL;`

/**
 * The deliveries that an endpoint looks after: when each is due, or when the lease of its attempt ends. Bodies and
 * secrets stay in D1; a thousand waiting deliveries take less than 100 kB here.
 */
export class EndpointBook extends ObjectTable {
  constructor(sql: SqlStorage) {
    super(sql, schema)
  }

  /** A known delivery becomes due earlier if `dueAt` is earlier. */
  add(id: string, dueAt: number): 'taken' | 'held' | 'full' {
    const [known] = this.run<{ id: string }>('SELECT id FROM deliveries WHERE id = ?', id)
    if (known) {
      this.run('UPDATE deliveries SET due_at = min(due_at, ?) WHERE id = ?', dueAt, id)
      return 'held'
    }
    if (this.size() >= webhookLimits.waiting) return 'full'
    this.run('INSERT INTO deliveries (id, due_at) VALUES (?, ?)', id, dueAt)
    return 'taken'
  }

  size(): number {
    return this.run<{ n: number }>('SELECT count(*) AS n FROM deliveries')[0]?.n ?? 0
  }

  find(id: string): BookEntry | undefined {
    const [row] = this.run<DueEvent>('SELECT id, sending, outcome FROM deliveries WHERE id = ?', id)
    return row && readRow(row)
  }

  /** Leases deliveries that are due, the longest waiting first, until `most` are leased in all. */
  takeDue(now: number, leaseUntil: number, most: number): string[] {
    const due = this.run<{ id: string }>(
      'SELECT id FROM deliveries WHERE lease_until IS NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?',
      now,
      Math.max(0, most - this.#leased()),
    )
    for (const { id } of due) this.lease(id, leaseUntil)
    return due.map(({ id }) => id)
  }

  lease(id: string, until: number): void {
    this.run('UPDATE deliveries SET lease_until = ? WHERE id = ?', until, id)
  }

  listExpired(now: number): BookEntry[] {
    const query = 'SELECT id, sending, outcome FROM deliveries WHERE lease_until <= ?'
    return this.run<DueEvent>(query, now).map(readRow)
  }

  noteSending(id: string, note: SendingNote): void {
    this.run('UPDATE deliveries SET sending = ? WHERE id = ?', JSON.stringify(note), id)
  }

  noteOutcome(id: string, outcome: NotedAttempt): void {
    const text = JSON.stringify(outcome)
    this.run('UPDATE deliveries SET sending = NULL, outcome = ? WHERE id = ?', text, id)
  }

  /** Ends the lease; the delivery is next due at `dueAt`. */
  wait(id: string, dueAt: number): void {
    this.run('UPDATE deliveries SET lease_until = NULL, due_at = ? WHERE id = ?', dueAt, id)
  }

  forgetOutcome(id: string): void {
    this.run('UPDATE deliveries SET outcome = NULL WHERE id = ?', id)
  }

  remove(id: string): void {
    this.run('DELETE FROM deliveries WHERE id = ?', id)
  }

  /** When to look again: when a lease ends or, while another attempt may start, when a delivery is due. */
  nextLook(most: number): number | undefined {
    const free = this.#leased() < most
    const [row] = this.run<{ at: number | null }>(
      free
        ? 'SELECT min(coalesce(lease_until, due_at)) AS at FROM deliveries'
        : 'SELECT min(lease_until) AS at FROM deliveries',
    )
    return row?.at ?? undefined
  }

  #leased(): number {
    const query = 'SELECT count(*) AS n FROM deliveries WHERE lease_until IS NOT NULL'
    return this.run<{ n: number }>(query)[0]?.n ?? 0
  }
}

/** Both columns were written by this class. */
function readRow({ id, sending, outcome }: DueEvent): BookEntry {
  return {
    id,
    sending: sending === null ? undefined : (JSON.parse(sending) as SendingNote),
    outcome: outcome === null ? undefined : (JSON.parse(outcome) as NotedAttempt),
  }
}
