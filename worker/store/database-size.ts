import { callStorage } from './database.ts'

/** Without the pages that deleted rows have freed, which D1 does not count. */
export async function readDatabaseBytes(d1: D1Database): Promise<number> {
  return callStorage(async () => (await d1.prepare('SELECT 1').all()).meta.size_after)
}
