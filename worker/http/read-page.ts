import { limits } from '../contract/limits.ts'

/**
 * A row can be a megabyte, and a hundred of them more than the memory of a Worker. So the first few rows of a page tell
 * how many more of their size fit, and those are read at once.
 */
const firstRows = 5

const sizeOf = (entry: unknown) => new TextEncoder().encode(JSON.stringify(entry)).length

type PageReading<Row, Entry> = {
  limit: number
  /** Reads rows, strictly after the last one that was read. */
  read: (last: Row | undefined, count: number) => Promise<Row[]>
  describe: (row: Row) => Promise<Entry>
}

/**
 * Up to `limit` entries, or fewer if their JSON is large, but at least one: otherwise nobody could get past a large one.
 * `last`: the row of the last one. `isWhole`: no row follows it.
 */
export async function readPage<Row, Entry>({
  limit,
  read,
  describe,
}: PageReading<Row, Entry>): Promise<{ data: Entry[]; last: Row | undefined; isWhole: boolean }> {
  const data: Entry[] = []
  let sizeBytes = 0
  let last: Row | undefined
  const isFull = () => data.length >= limit || sizeBytes >= limits.listPageBytes
  for (;;) {
    // One more row than fits tells whether there is a next page.
    const left = isFull() ? 1 : limit + 1 - data.length
    const count = Math.min(left, rowsThatFit(data.length, sizeBytes))
    const rows = await read(last, count)
    for (const row of rows) {
      if (isFull()) return { data, last, isWhole: false }
      const entry = await describe(row)
      data.push(entry)
      sizeBytes += sizeOf(entry)
      last = row
    }
    if (rows.length < count) return { data, last, isWhole: true }
  }
}

function rowsThatFit(rows: number, bytes: number): number {
  if (rows === 0) return firstRows
  return Math.max(1, Math.ceil((limits.listPageBytes - bytes) / (bytes / rows)))
}
