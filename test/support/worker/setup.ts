import { applyD1Migrations, type D1Migration } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

declare module 'cloudflare:workers' {
  interface ProvidedEnv {
    TEST_MIGRATIONS: D1Migration[]
  }
}

const { DB, TEST_MIGRATIONS } = env as unknown as { DB: D1Database; TEST_MIGRATIONS: D1Migration[] }
await applyD1Migrations(DB, TEST_MIGRATIONS)

/** A request that no test answers goes nowhere, not even one that an object sends after its test is over. */
globalThis.fetch = async (input) => {
  throw new Error(`a request left the tests: ${new Request(input).url}`)
}
