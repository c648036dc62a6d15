import type { Bindings, Env } from '../settings.ts'
import type { AccountDatabase, HomeDatabase } from '../store/databases.ts'

type Shards = readonly [Env, ...Env[]]

/** One environment for each database. They stay the same objects, because settings are read once for each. */
const known = new WeakMap<Bindings | Env, Shards>()

/**
 * The databases among the bindings: `DB`, which is also the home of all accounts, then `DB_1`, `DB_2` and so on. The
 * types follow from here: whoever has an `Env` cannot look for a video in the home, or for a session where videos are.
 */
export function allShards(env: Bindings | Env): Shards {
  const found = known.get(env)
  if (found) return found
  const home = env.DB as HomeDatabase
  const inDatabase = (database: D1Database, shard: number): Env => ({
    ...env,
    DB: database as AccountDatabase,
    HOME: home,
    shard,
  })
  const shards: [Env, ...Env[]] = [inDatabase(home, 0)]
  const bound = env as unknown as Readonly<Record<string, D1Database | undefined>>
  for (let next = bound.DB_1; next; next = bound[`DB_${shards.length}`]) {
    shards.push(inDatabase(next, shards.length))
  }
  for (const one of [env, ...shards]) known.set(one, shards)
  return shards
}

/** The environment of the home, whose database is also the first of those that have what accounts make. */
export function atHome(env: Bindings | Env): Env {
  return allShards(env)[0]
}

/** The environment of an account that lives in this database. */
export function inShard(env: Bindings | Env, shard: number): Env {
  const found = allShards(env)[shard]
  if (found) return found
  throw new Error(`There is no database DB_${shard}, in which an account lives; see wrangler.toml.`)
}
