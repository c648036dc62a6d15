import { type D1Migration, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, expect } from 'vitest'
import { forgetAll } from '../../../worker/contract/isolate-memory.ts'
import { takeUndocumented } from './documented.ts'
import { takeBroken } from './platform/platform-limits.ts'

declare module 'cloudflare:workers' {
  interface ProvidedEnv {
    TEST_MIGRATIONS: D1Migration[]
  }
}

type Bindings = {
  DB: D1Database
  BUCKET: R2Bucket
  TEST_MIGRATIONS: D1Migration[]
}

const { DB, BUCKET, TEST_MIGRATIONS } = env as unknown as Bindings

// Files follow each other in one process: each finds a new installation, and an isolate that remembers nothing.
forgetAll()
await emptyStorage()
await emptyBucket()
await makeTables()

afterEach(() => {
  expect(takeBroken(), 'limits of the platform that were broken').toEqual([])
  expect(takeUndocumented(), 'what the description of the API does not say').toEqual([])
})

/** A request that no test answers goes nowhere, not even one that an object sends after its test is over. */
globalThis.fetch = async (input) => {
  throw new Error(`a request left the tests: ${new Request(input).url}`)
}

/** All at once, because this is done for every file: migrations one after the other take three times as long. */
async function makeTables(): Promise<void> {
  const statements = TEST_MIGRATIONS.flatMap(({ queries }) => queries)
  await DB.batch(statements.map((sql) => DB.prepare(sql)))
}

/** Objects that no row refers to would look like a fault of the file that finds them. */
async function emptyBucket(): Promise<void> {
  for (let isMore = true; isMore;) {
    const { objects, truncated } = await BUCKET.list()
    if (objects.length > 0) await BUCKET.delete(objects.map(({ key }) => key))
    isMore = truncated
  }
}

/** Something that the file before has left running may write once more while it is emptied. */
async function emptyStorage(): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    await reset()
    const tables = DB.prepare("SELECT count(*) AS n FROM sqlite_master WHERE name = 'accounts'")
    if ((await tables.first<number>('n')) === 0) return
  }
  throw new Error('the storage of the file before could not be emptied')
}
