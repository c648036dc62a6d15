import type { BegunUpload } from '../service/storages/send-object.ts'
import { ObjectTable } from './object-table.ts'

/** A file to be sent. `delivery`: the index of its delivery in the list of the video. */
export type BookedFile = {
  delivery: number
  file: number
  /** How many tries in a row have sent no new part. */
  tries: number
  dueAt: number
  begun: BegunUpload | undefined
}

type DueRow = {
  delivery: number
  file: number
  tries: number
  due_at: number
  begun: string | null
}

type Booked = Pick<BookedFile, 'delivery' | 'file'>

const schema = `
  CREATE TABLE IF NOT EXISTS files (
    delivery INTEGER NOT NULL,
    file INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    most_parts INTEGER NOT NULL DEFAULT 0,
    is_done INTEGER NOT NULL DEFAULT 0,
    begun TEXT,
    PRIMARY KEY (delivery, file)
  )`

/** The files that are still to be sent: when each is due, and how much of it has been sent. D1 has the deliveries themselves. */
export class DeliveryBook extends ObjectTable {
  constructor(sql: SqlStorage) {
    super(sql, schema)
  }

  /** Adds a file; one that is in the book already stays as it is. */
  add(delivery: number, file: number, dueAt: number): void {
    this.run(
      'INSERT INTO files (delivery, file, tries, due_at) VALUES (?, ?, 0, ?) ON CONFLICT DO NOTHING',
      ...[delivery, file, dueAt],
    )
  }

  /** The files that are still to be sent, the longest due first. */
  list(): BookedFile[] {
    const columns = 'delivery, file, tries, due_at, begun'
    const query = `SELECT ${columns} FROM files WHERE is_done = 0 ORDER BY due_at, delivery, file`
    return this.run<DueRow>(query).map(readRow)
  }

  find({ delivery, file }: Booked): BookedFile | undefined {
    return this.list().find((one) => one.delivery === delivery && one.file === file)
  }

  /** More parts than ever before begin the schedule of tries again. An upload that starts over does not, or it could for ever. */
  saveBegun({ delivery, file }: Booked, begun: BegunUpload | undefined): void {
    const text = begun === undefined ? null : JSON.stringify(begun)
    const parts = begun?.etags.length ?? 0
    this.run(
      `UPDATE files SET begun = ?1, tries = iif(?2 > most_parts, 0, tries), most_parts = max(?2, most_parts)
       WHERE delivery = ?3 AND file = ?4`,
      ...[text, parts, delivery, file],
    )
  }

  wait({ delivery, file }: Booked, next: { tries: number; dueAt: number }): void {
    const query = 'UPDATE files SET tries = ?, due_at = ? WHERE delivery = ? AND file = ?'
    this.run(query, next.tries, next.dueAt, delivery, file)
  }

  /** Uploads that were begun and will not be completed. */
  listDropped(): BegunUpload[] {
    const query = 'SELECT begun FROM files WHERE is_done = 1 AND begun IS NOT NULL'
    return this.run<{ begun: string }>(query).map(({ begun }) => JSON.parse(begun) as BegunUpload)
  }

  /** Removes a file that is not sent any more: it has arrived, or its delivery has failed. */
  finish({ delivery, file }: Booked): void {
    const query = 'UPDATE files SET is_done = 1 WHERE delivery = ? AND file = ?'
    this.run(query, delivery, file)
  }
}

/** The column was written by this class. */
function readRow({ delivery, file, tries, due_at: dueAt, begun }: DueRow): BookedFile {
  const known = begun === null ? undefined : (JSON.parse(begun) as BegunUpload)
  return { delivery, file, tries, dueAt, begun: known }
}
